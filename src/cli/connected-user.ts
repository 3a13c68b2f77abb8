/** As `GET /v1/connected_user` answers it, as far as the tools look. */
export interface ConnectedUser {
	readonly id: string;
	readonly first_name: string;
	readonly last_name: string;
	readonly email: string;
	readonly workspaces: readonly {
		readonly organisation_id: string;
		readonly organisation_name: string;
		readonly role: string;
		readonly datamarts: readonly {readonly id: string; readonly name: string}[];
	}[];
}
