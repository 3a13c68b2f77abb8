import {datamartToWire} from '../../tenants/datamarts/datamarts.schema.ts';
import type {ConnectedUser, Workspace} from './connected-user.ts';

/** Specification, "Connected user", with the field guide's `default_workspace`. */
export function connectedUserToWire({user, defaultWorkspace, workspaces}: ConnectedUser) {
	return {
		id: String(user.id),
		first_name: user.firstName,
		last_name: user.lastName,
		email: user.email,
		locale: user.locale,
		default_workspace: defaultWorkspace,
		workspaces: workspaces.map(workspaceToWire),
	};
}

export function workspaceToWire({organisation, administrator, role, datamarts}: Workspace) {
	return {
		organisation_id: String(organisation.id),
		customer_type: organisation.customerType,
		organisation_name: organisation.name,
		administrator,
		role,
		community_id: String(organisation.communityId),
		administrator_id: organisation.administratorId === null ? null : String(organisation.administratorId),
		datamarts: datamarts.map(datamartToWire),
	};
}
