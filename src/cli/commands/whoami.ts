import {SvcCommand} from '../svc-command.ts';
import {table} from '../terminal.ts';

export class WhoAmI extends SvcCommand {
	static override summary = 'Print who the saved token belongs to, and what they may see';

	async run() {
		await this.parse(WhoAmI);
		const user = await (await this.client()).get('/v1/connected_user');
		this.log(`${user.first_name} ${user.last_name} <${user.email}>, user ${user.id}\n`);
		const rows = user.workspaces.flatMap(({organisation_id, organisation_name, role, datamarts}) =>
			(datamarts.length > 0 ? datamarts : [undefined]).map(datamart => [
				`${organisation_name} (${organisation_id})`,
				role,
				datamart && `${datamart.name} (${datamart.id})`,
			]),
		);
		this.log(table(['ORGANISATION', 'ROLE', 'DATAMART'], rows));
		return user;
	}
}
