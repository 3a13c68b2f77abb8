import type {Answer, Api} from '../api.ts';
import type {ConnectedUser} from '../connected-user.ts';
import type {Login} from './login.ts';

/** What a client learns by logging in and asking who it is. */
export interface Tenant {
	readonly token: string;
	readonly organisationName: string;
	readonly datamartId: string;
	readonly datamartName: string;
	readonly siteId: string;
	readonly appId: string;
}

/** Finds its way from a login to a datamart and its channels, as anyone would, through the API alone. */
export async function findTenant(api: Api, login: Login): Promise<Tenant> {
	const {access_token: token} = dataOf<{access_token: string}>(
		'login',
		await api.post('/v1/authentication/access_tokens', JSON.stringify(login)),
	);
	const mine = api.withToken(token);
	const {workspaces} = dataOf<ConnectedUser>('connected_user', await mine.get('/v1/connected_user'));
	const datamart = workspaces[0]?.datamarts[0];
	if (!workspaces[0] || !datamart) throw new Error('the first start made no datamart');
	const channels = dataOf<{id: string; type: string}[]>(
		'channels',
		await mine.get(`/v1/datamarts/${datamart.id}/channels`),
	);
	const channel = (type: string) => channels.find(each => each.type === type)?.id ?? '';
	return {
		token,
		organisationName: workspaces[0].organisation_name,
		datamartId: datamart.id,
		datamartName: datamart.name,
		siteId: channel('SITE'),
		appId: channel('MOBILE_APPLICATION'),
	};
}

/** The data of an answer; throws with what the service said where it refused. */
export function dataOf<Data>(call: string, {status, body}: Answer): Data {
	if (status !== 200) throw new Error(`${call}: ${status} ${body.error ?? ''}`);
	return body.data as Data;
}
