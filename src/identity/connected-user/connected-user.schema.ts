import {z} from 'zod';
import {DatamartOnWire, datamartToWire} from '../../tenants/datamarts/datamarts.schema.ts';
import {ROLES} from '../principal.ts';
import type {ConnectedUser, Workspace} from './connected-user.ts';

export const WorkspaceOnWire = z.object({
	organisation_id: z.string(),
	customer_type: z.string(),
	organisation_name: z.string(),
	administrator: z.boolean(),
	role: z.enum(ROLES),
	community_id: z.string(),
	administrator_id: z.string().nullable(),
	datamarts: z.array(DatamartOnWire),
});

export const ConnectedUserOnWire = z.object({
	id: z.string(),
	first_name: z.string(),
	last_name: z.string(),
	email: z.string(),
	locale: z.string().nullable(),
	default_workspace: z.number(),
	workspaces: z.array(WorkspaceOnWire),
});

/** Specification, "Connected user", with the field guide's `default_workspace`. */
export function connectedUserToWire({
	user,
	defaultWorkspace,
	workspaces,
}: ConnectedUser): z.output<typeof ConnectedUserOnWire> {
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

export function workspaceToWire({
	organisation,
	administrator,
	role,
	datamarts,
}: Workspace): z.output<typeof WorkspaceOnWire> {
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
