import { BillingError } from '../../errors.ts';
import { ApiKeyScope, type MemberRole } from '../../generated/prisma/client.ts';
import type { Scope } from './scope.ts';

/** A merchant's backend, by one of its keys. */
export interface ApiKeyCaller extends Scope {
  readonly kind: 'api_key';
  readonly keyId: string;
  /** What the key may be used for. */
  readonly scopes: readonly ApiKeyScope[];
}

/** A member of a merchant's team, signed in to the dashboard, in the environment that the request names. */
export interface MemberCaller extends Scope {
  readonly kind: 'member';
  readonly memberId: string;
  readonly sessionId: string;
  readonly walletAddress: string;
  readonly role: MemberRole;
  /** What the role may do. */
  readonly scopes: readonly ApiKeyScope[];
}

/** Who asks, once that is proven; whoever comes without proof is `undefined`. REST, GraphQL and sockets know no other notion. */
export type Caller = ApiKeyCaller | MemberCaller;

export const ALL_SCOPES: readonly ApiKeyScope[] = Object.values(ApiKeyScope);

/** Where a key is needed and none came. */
export function noKey(): BillingError {
  return new BillingError(
    'authentication_error',
    'This needs an API key: send the header `Authorization: Bearer sk_...`.',
  );
}

/**
 * The caller, if what is asked is within the scopes of its key or role.
 *
 * @throws BillingError authentication_error without a caller, or where the scope is missing
 */
export function requireScope(caller: Caller | undefined, scope: ApiKeyScope): Caller {
  if (!caller) throw noKey();
  if (caller.scopes.includes(scope)) return caller;
  const who = caller.kind === 'api_key' ? 'This API key' : 'Your role';
  throw new BillingError(
    'authentication_error',
    `${who} has not the scope \`${scope.toLowerCase()}\` that this needs.`,
  );
}
