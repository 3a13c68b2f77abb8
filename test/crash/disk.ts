import {execFileSync, spawnSync} from 'node:child_process';
import {
	existsSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	truncateSync,
	writeFileSync,
} from 'node:fs';
import {platform, tmpdir} from 'node:os';
import {join} from 'node:path';
import {setTimeout as delay} from 'node:timers/promises';
import {signalIfThere} from '../support/process.ts';

const BYTES = 3 * 1024 ** 3;
/** ext4 answers a sync by writing what it must and no more: by itself it would write everything every five seconds. */
const OPTIONS = 'loop,data=writeback,commit=300';
/** EXT4_IOC_SHUTDOWN, "without flushing the log": every write from here on fails and what was not synced is gone. */
const SHUTDOWN = `
sysopen(my $disk, $ARGV[0], 0200000) or die "open: $!";
my $flags = pack('L', 2);
ioctl($disk, 0x8004587D, $flags) or die "ioctl: $!";
`;

/**
 * A disk that can lose its power: an ext4 of its own in a file. Afterwards a file holds what was synced of it, and of
 * the rest whatever the kernel happened to have written. A written block counts as kept: a volatile cache inside the
 * disk is not simulated. Needs Linux, root and a loop device.
 */
export class Disk {
	readonly directory: string;
	readonly #image: string;
	readonly #home: string;

	private constructor(home: string) {
		this.#home = home;
		this.#image = join(home, 'image');
		this.directory = join(home, 'disk');
	}

	/** Why there is no such disk here, or undefined where there is. */
	static whyNot(): string | undefined {
		if (platform() !== 'linux') return 'power cuts are simulated on Linux only';
		if (process.getuid?.() !== 0) return 'mounting a disk of our own needs root';
		for (const [tool, ...args] of [
			['mkfs.ext4', '-V'],
			['perl', '-v'],
			['mount', '-V'],
		] as const) {
			if (spawnSync(tool, args).error) return `${tool} is missing`;
		}
		try {
			new Disk(mkdtempSync(join(tmpdir(), 'millrace-disk-'))).#make().remove();
			return undefined;
		} catch (error) {
			return `no disk can be mounted: ${(error as Error).message.split('\n')[0]}`;
		}
	}

	static make(): Disk {
		return new Disk(mkdtempSync(join(tmpdir(), 'millrace-disk-'))).#make();
	}

	#make(): Disk {
		writeFileSync(this.#image, '');
		truncateSync(this.#image, BYTES);
		run('mkfs.ext4', '-q', '-E', 'lazy_itable_init=1,lazy_journal_init=1', this.#image);
		mkdirSync(this.directory);
		this.#mount();
		return this;
	}

	#mount(): void {
		run('mount', '-o', OPTIONS, this.#image, this.directory);
	}

	/** The power goes: now. Whoever writes gets an error. */
	cut(): void {
		run('perl', '-e', SHUTDOWN, this.directory);
	}

	/**
	 * The same under processes that write: they are stopped first, as a processor would be. A sync that meets the cut may
	 * come back as if it had succeeded (4 of 40 cuts on Linux 6), and somebody would be answered for it.
	 */
	async cutUnder(pids: readonly number[]): Promise<void> {
		for (const pid of pids) signalIfThere(pid, 'SIGSTOP');
		for (const until = Date.now() + 2_000; !pids.every(isStill); await delay(1)) {
			if (Date.now() > until) throw new Error(`processes ${pids.join(', ')} do not stop`);
		}
		this.cut();
	}

	/** The power comes back; nobody may have a file open any more. */
	async restore(): Promise<void> {
		for (const until = Date.now() + 15_000; ; await delay(50)) {
			try {
				run('umount', this.directory);
				break;
			} catch (error) {
				if (Date.now() > until) throw error;
			}
		}
		this.#mount();
	}

	remove(): void {
		spawnSync('umount', ['-l', this.directory]);
		if (existsSync(this.#home)) rmSync(this.#home, {recursive: true, force: true});
	}
}

/** Every thread of it is stopped, or within a call of the kernel's that ends before its next step. */
function isStill(pid: number): boolean {
	try {
		return readdirSync(`/proc/${pid}/task`).every(thread => {
			const text = readFileSync(`/proc/${pid}/task/${thread}/stat`, 'utf8');
			return 'TtDZX'.includes(text[text.lastIndexOf(')') + 2]!);
		});
	} catch {
		return true;
	}
}

function run(tool: string, ...args: string[]): void {
	execFileSync(tool, args, {stdio: ['ignore', 'ignore', 'pipe'], timeout: 20_000});
}
