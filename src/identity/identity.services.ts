import type {VerifyToken, VerifyWorker} from '../http/authenticate.ts';
import type {Route} from '../http/route.ts';
import type {Secrets} from '../lib/secrets.ts';
import type {Database} from '../postgres/database.ts';
import type {Directory} from '../tenants/directory.ts';
import {accessTokenStore} from './access-tokens/access-tokens.store.ts';
import {ACCESS_TOKEN_PREFIX, AccessTokens} from './access-tokens/access-tokens.ts';
import {Logins} from './access-tokens/logins.ts';
import {apiTokenRoutes} from './api-tokens/api-tokens.route.ts';
import {apiTokenStore} from './api-tokens/api-tokens.store.ts';
import {ApiTokens} from './api-tokens/api-tokens.ts';
import {identityRoutes} from './identity.route.ts';
import {refreshTokenStore} from './refresh-tokens/refresh-tokens.store.ts';
import {RefreshTokens} from './refresh-tokens/refresh-tokens.ts';
import {signingKeyRoutes} from './signing-keys/signing-keys.route.ts';
import {signingKeyStore} from './signing-keys/signing-keys.store.ts';
import {SigningKeys} from './signing-keys/signing-keys.ts';
import {userRoleStore} from './users/user-roles.store.ts';
import {userStore} from './users/users.store.ts';
import {workerCredentialStore} from './worker-credentials/worker-credentials.store.ts';
import {WorkerCredentials} from './worker-credentials/worker-credentials.ts';

export interface Identity {
	readonly routes: readonly Route[];
	/** Of users: access tokens and API tokens, told apart by their prefix. */
	readonly verifyToken: VerifyToken;
	readonly verifySignature: SigningKeys['verify'];
	readonly verifyWorker: VerifyWorker;
	readonly workerCredentials: WorkerCredentials;
	/** What credentials mean has changed somewhere: each is asked about again at its next use. */
	forgetPrincipals(): void;
	close(): Promise<void>;
}

/** Who somebody is, built: users, roles, and the credentials they show. */
export function identityServices({
	database,
	directory,
	secrets,
}: {
	readonly database: Database;
	readonly directory: Directory;
	readonly secrets: Secrets;
}): Identity {
	const users = userStore(database);
	const roles = userRoleStore(database);
	const accessTokens = new AccessTokens({tokens: accessTokenStore(database), roles});
	const apiTokens = new ApiTokens({tokens: apiTokenStore(database), roles});
	const signingKeys = new SigningKeys({keys: signingKeyStore(database), roles, secrets});
	const workerCredentials = new WorkerCredentials({workers: workerCredentialStore(database)});
	const forgetPrincipals = () => {
		for (const credentials of [accessTokens, apiTokens, signingKeys, workerCredentials])
			credentials.forgetPrincipals();
	};
	const refreshTokens = new RefreshTokens({
		tokens: refreshTokenStore(database),
		accessTokens,
		forgetPrincipals,
	});
	return {
		routes: [
			...identityRoutes({
				accessTokens,
				refreshTokens,
				logins: new Logins(users),
				users,
				roles,
				directory,
				forgetPrincipals,
			}),
			...apiTokenRoutes({apiTokens, users, roles, directory}),
			...signingKeyRoutes({signingKeys, users, roles, directory}),
		],
		verifyToken: (token, guard) =>
			token.startsWith(ACCESS_TOKEN_PREFIX)
				? accessTokens.verify(token, guard)
				: apiTokens.verify(token, guard),
		verifySignature: (...request) => signingKeys.verify(...request),
		verifyWorker: ({workerId, authenticationToken}, guard) =>
			workerCredentials.verify(workerId, authenticationToken, guard),
		workerCredentials,
		forgetPrincipals,
		async close() {
			await Promise.all([accessTokens.close(), refreshTokens.close(), apiTokens.close()]);
		},
	};
}
