import {invalidField, notFound} from '../../errors.ts';
import type {Datamart, TenantView} from '../../tenants/directory.ts';
import type {Identifier} from './identifiers.ts';
import type {UserPointsStore} from './user-points.store.ts';

/** A user point as a path names it: by its id, or by one of its identifiers. */
export type Selector = {readonly userPointId: number} | {readonly identifier: Identifier};

const ACCOUNT = /^(?:compartment(?:Id|_id)=([^,/]*)[,/])?user_account_id=(.+)$/s;

/**
 * The forms of specification and field guide: `42`, `email_hash=X`, `user_agent_id=X`, `user_account_id=A` (default
 * compartment), `compartmentId=C,user_account_id=A` and `compartment_id=C/user_account_id=A`.
 */
export function parseSelector(text: string, datamart: Datamart, directory: TenantView): Selector {
	if (/^[1-9]\d{0,14}$/.test(text)) return {userPointId: Number(text)};
	const account = ACCOUNT.exec(text);
	if (account) {
		const compartment =
			account[1] === undefined
				? directory.defaultCompartment(datamart.id)
				: directory.compartment(datamart.id, account[1]);
		if (!compartment) throw notFound('compartment_not_found');
		return {identifier: {kind: 'USER_ACCOUNT', compartmentId: compartment.id, text: account[2]!}};
	}
	const [, name, value] = /^(email_hash|user_agent_id)=(.+)$/s.exec(text) ?? [];
	if (name && value) {
		const kind = name === 'email_hash' ? 'USER_EMAIL' : 'USER_AGENT';
		return {identifier: {kind, compartmentId: undefined, text: value}};
	}
	throw invalidField(
		'selector',
		'is neither a user point id nor one of user_agent_id=, email_hash=, user_account_id=',
	);
}

/** The user point a selector stands for, after merges. Error: `user_point_not_found`. */
export async function findUserPoint(
	store: UserPointsStore,
	datamart: Datamart,
	selector: Selector,
): Promise<number> {
	const found =
		'userPointId' in selector
			? await store.survivorOf(datamart.id, selector.userPointId)
			: (await store.find(datamart.id, selector.identifier))?.userPointId;
	if (found === undefined) throw notFound('user_point_not_found');
	return found;
}
