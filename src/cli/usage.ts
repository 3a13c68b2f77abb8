/** A command that was called wrongly: told with its usage, exit code 2. */
export class UsageError extends Error {
	override readonly name = 'UsageError';
}

/** Runs a command: its number is the exit code; a usage error is told in words, anything else that is thrown is 1. */
export async function runCommand(usage: string, command: () => Promise<number>): Promise<void> {
	try {
		process.exitCode = await command();
	} catch (error) {
		const isUsage = error instanceof UsageError || isParseArgsError(error);
		process.stderr.write(`${(error as Error).message}\n${isUsage ? `\n${usage}\n` : ''}`);
		process.exitCode = isUsage ? 2 : 1;
	}
}

function isParseArgsError(error: unknown): boolean {
	return String((error as {code?: unknown}).code).startsWith('ERR_PARSE_ARGS');
}
