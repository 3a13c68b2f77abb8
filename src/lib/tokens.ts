import {randomBytes} from 'node:crypto';

/** Names a datamart, compartment or channel in public places; hexadecimal, 96 random bits by default. */
export function randomToken(bytes = 12): string {
	return randomBytes(bytes).toString('hex');
}
