import { BillingError } from '../../../errors.ts';
import { ApiKeyScope, type MemberRole } from '../../../generated/prisma/client.ts';
import type { Scope } from './scope.ts';

/** A merchant's backend with an API key. */
export interface ApiKeyCaller extends Scope {
  readonly kind: 'api_key';
  readonly keyId: string;
  /** The permissions of the key. */
  readonly scopes: readonly ApiKeyScope[];
}

/** A member signed in to the dashboard, in the environment of the request. */
export interface MemberCaller extends Scope {
  readonly kind: 'member';
  readonly memberId: string;
  readonly sessionId: string;
  readonly walletAddress: string;
  readonly role: MemberRole;
  /** The permissions of the role. */
  readonly scopes: readonly ApiKeyScope[];
}

/**
 * The authenticated caller of a request; anonymous callers are `undefined`. REST, GraphQL and
 * sockets use the same type.
 */
export type Caller = ApiKeyCaller | MemberCaller;

export const ALL_SCOPES: readonly ApiKeyScope[] = Object.values(ApiKeyScope);

/** The error for a missing key. */
export function noKey(): BillingError {
  return new BillingError(
    'authentication_error',
    'This needs an API key: send the header `Authorization: Bearer sk_...`.',
  );
}

/**
 * The caller, if its key or role has the scope.
 *
 * @throws BillingError authentication_error without a caller or without the scope
 */
export function requireScope(caller: Caller | undefined, scope: ApiKeyScope): Caller {
  if (!caller) throw noKey();
  if (caller.scopes.includes(scope)) return caller;
  const credential = caller.kind === 'api_key' ? 'This API key' : 'Your role';
  throw new BillingError('authentication_error', `${credential} lacks the scope \`${scope.toLowerCase()}\`.`);
}
