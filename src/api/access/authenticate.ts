import type { IncomingMessage } from 'node:http';
import type { AppContext } from '../../app.ts';
import { authenticateApiKey } from '../../domain/accounts/api-key/authenticate-api-key.ts';
import type { Caller } from '../../domain/kernel/access/caller.ts';
import { BillingError } from '../../errors.ts';
import { authenticateMember, type BrowserRequest, ENVIRONMENT_HEADER } from './authenticate-member.ts';
import type { KeyUse } from './key-use.ts';

/** The credentials of a request. */
export interface Credentials extends BrowserRequest {
  /** The `Authorization` header. If it is present, the cookie is ignored. */
  readonly authorization: string | undefined;
}

/**
 * The credentials in a request, which are not checked here.
 *
 * @param given replaces those of the request's headers
 */
export function credentialsOf(
  { method = 'GET', headers, headersDistinct }: IncomingMessage,
  given: Partial<Credentials> = {},
): Credentials {
  return {
    method,
    // Node keeps only the first of several headers. Together they are no valid key.
    authorization: headersDistinct.authorization?.join(', '),
    cookie: headers.cookie,
    origin: headers.origin,
    fetchSite: headers['sec-fetch-site']?.toString(),
    environment: headers[ENVIRONMENT_HEADER]?.toString(),
    ...given,
  };
}

/**
 * Identifies the caller: the owner of the key in the `Authorization` header or, without that
 * header, the signed-in member; undefined without credentials.
 *
 * @throws BillingError authentication_error if the header holds no key that is valid now;
 *   invalid_request, param `x-dues-environment`, for a signed-in member
 */
export async function authenticate(
  { app, keyUse }: { readonly app: AppContext; readonly keyUse: KeyUse },
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
