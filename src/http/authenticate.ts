import { authenticateApiKey } from '../domain/merchant/authenticate-api-key.ts';
import type { Caller } from '../domain/merchant/caller.ts';
import { BillingError } from '../errors.ts';
import type { GraphqlServer } from '../graphql/context.ts';
import { authenticateMember, type BrowserRequest } from './authenticate-member.ts';

/** What a request proves by who asks. */
export interface Credentials extends BrowserRequest {
  /** The header; where it is there, a cookie counts for nothing. */
  readonly authorization: string | undefined;
}

/**
 * Whose key an `Authorization` header holds, or, without that header, who is signed in; undefined for nobody.
 *
 * @throws BillingError authentication_error where the header holds anything but a key that is valid now;
 *   invalid_request, param `x-dues-environment`, of who is signed in
 */
export async function authenticate(
  { app, keyUse }: Pick<GraphqlServer, 'app' | 'keyUse'>,
  { authorization, ...browser }: Credentials,
): Promise<Caller | undefined> {
  if (authorization === undefined) return authenticateMember(app, browser);
  const [, key] = /^Bearer +(\S+)$/i.exec(authorization) ?? [];
  if (key === undefined) {
    throw new BillingError(
      'authentication_error',
      'The Authorization header must be `Bearer <API key>`.',
      'Authorization',
    );
  }
  const caller = await authenticateApiKey(app, key);
  keyUse.note(caller.keyId);
  return caller;
}
