import type {Networks} from '../worker-client/networks.ts';
import {WorkerError} from '../worker-client/worker-error.ts';

/** Whether a host may be called as far as can be told now: one that does not resolve yet may come up later. */
export type MayBeCalled = (hostname: string) => Promise<boolean>;

/** Each call checks again what it connects to: this only tells whoever types a wrong address. */
export function mayBeCalledIn(networks: Networks): MayBeCalled {
	return hostname =>
		new Promise(resolve => {
			networks.lookup(hostname.replace(/^\[|\]$/g, ''), {}, error => {
				resolve(!(error instanceof WorkerError && error.fault === 'address_refused'));
			});
		});
}
