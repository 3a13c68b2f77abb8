import type {MillraceClient} from '../../client/index.ts';
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
export async function findTenant(stranger: MillraceClient, login: Login): Promise<Tenant> {
	const {access_token: token} = await stranger.post('/v1/authentication/access_tokens', {body: login});
	const client = stranger.withToken(token);
	const {workspaces} = await client.get('/v1/connected_user');
	const datamart = workspaces[0]?.datamarts[0];
	if (!workspaces[0] || !datamart) throw new Error('the first start made no datamart');
	const path = {datamartId: datamart.id};
	const channels = await client.get('/v1/datamarts/{datamartId}/channels', {path});
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
