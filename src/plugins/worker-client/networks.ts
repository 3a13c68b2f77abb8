import {type LookupAddress, type LookupOptions, lookup as systemLookup} from 'node:dns';
import {BlockList, isIP} from 'node:net';
import {WorkerError} from './worker-error.ts';

/** Networks nobody outside of a machine, a site or a carrier has addresses in (IANA's special-purpose registries). */
const INNER_NETWORKS = [
	...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12'],
	...['192.0.0.0/24', '192.0.2.0/24', '192.88.99.0/24', '192.168.0.0/16', '198.18.0.0/15', '198.51.100.0/24'],
	...['203.0.113.0/24', '224.0.0.0/4', '240.0.0.0/4'],
	// Unspecified, loopback, and those that carry an IPv4 address inside: NAT64, Teredo, 6to4.
	...[
		'::/127',
		'::/96',
		'64:ff9b::/96',
		'64:ff9b:1::/48',
		'100::/64',
		'2001::/23',
		'2001:db8::/32',
		'2002::/16',
	],
	...['3fff::/20', '5f00::/16', 'fc00::/7', 'fe80::/10', 'fec0::/10', 'ff00::/8'],
];

type Look = (
	hostname: string,
	options: LookupOptions & {all: true},
	callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

type Looked = Parameters<Look>[2];
type Answer = (error: Error | null, address: string | LookupAddress[], family?: number) => void;

/**
 * Which addresses may be called: public ones, and those of the networks an administrator has listed. A name is looked
 * up where the connection is made, and the connection goes to the very addresses that were checked.
 */
export class Networks {
	readonly #inner = listOf(INNER_NETWORKS);
	readonly #allowed: BlockList;
	readonly #look: Look;
	/** Questions under way, and who waits for each. */
	readonly #asked = new Map<string, Looked[]>();

	/** `allowed`: addresses and CIDRs, as in `PLUGIN_WORKER_ALLOWED_NETWORKS`. */
	constructor(allowed: readonly string[], look: Look = systemLookup) {
		this.#allowed = listOf(allowed);
		this.#look = look;
	}

	/** Whether a numeric address may be called; an IPv4 address in IPv6 clothes is what it is inside. */
	allows(address: string): boolean {
		const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
		return this.#allowed.check(address, family) || !this.#inner.check(address, family);
	}

	/** Throws `address_refused` for a host that is an address and may not be called: no look-up is made for those. */
	assertHost(hostname: string): void {
		const address = hostname.replace(/^\[|\]$/g, '');
		if (isIP(address) !== 0 && !this.allows(address)) throw new WorkerError('address_refused');
	}

	/**
	 * For `net.connect`: looks a name up and refuses it where any of its addresses may not be called, since whoever
	 * answers with an inner one beside a public one wants to be taken at the second try.
	 */
	readonly lookup = (hostname: string, options: LookupOptions, callback: Answer): void => {
		this.#ask(hostname, options, (error, addresses) => {
			const [first] = addresses ?? [];
			if (error || !first) return callback(error ?? new WorkerError('unreachable'), []);
			if (!addresses.every(({address}) => this.allows(address))) {
				return callback(new WorkerError('address_refused'), []);
			}
			if (options.all) callback(null, addresses);
			else callback(null, first.address, first.family);
		});
	};

	/** The system has few threads for looking up: a name whose answer hangs must not take one for each connection. */
	#ask(hostname: string, options: LookupOptions, looked: Looked): void {
		const question = `${hostname} ${options.family ?? 0}`;
		const asked = this.#asked.get(question);
		if (asked) return void asked.push(looked);
		const waiting = [looked];
		this.#asked.set(question, waiting);
		this.#look(hostname, {...options, all: true}, (error, addresses) => {
			this.#asked.delete(question);
			for (const each of waiting) each(error, addresses);
		});
	}
}

function listOf(networks: readonly string[]): BlockList {
	const list = new BlockList();
	for (const network of networks) {
		const [address = '', bits] = network.split('/');
		const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
		if (bits === undefined) list.addAddress(address, family);
		else list.addSubnet(address, Number(bits), family);
	}
	return list;
}
