import type { AppContext } from '../../app.ts';
import type { Caller } from '../../domain/kernel/access/caller.ts';
import { authenticate, type Credentials } from '../access/authenticate.ts';
import { countsAgainst } from '../access/counts-against.ts';
import type { KeyUse } from '../access/key-use.ts';
import type { Admission } from './admission.ts';

/** The caller of a request or an operation on a socket. */
export interface IdentifiedCaller {
  /** Undefined without credentials, or if they are refused. */
  readonly caller: Caller | undefined;
  /** The error with which the credentials are refused; undefined if they are not. */
  readonly refusal: unknown;
  /** The rate-limit key. With refused credentials it is that of the address. */
  readonly limitKey: string;
}

/**
 * Authenticates a caller, and tells admission whether its credentials are valid. Every request and
 * every operation on a socket is identified here. Never rejects: the request is counted before its
 * credentials are refused.
 *
 * @param address the caller's, from `Admission.addressOf`
 */
export async function identifyCaller(
  server: { readonly app: AppContext; readonly keyUse: KeyUse; readonly admission: Admission },
  credentials: Credentials,
  address: string,
): Promise<IdentifiedCaller> {
  const { knownCallers } = server.admission;
  try {
    const caller = await authenticate(server, credentials);
    const limitKey = countsAgainst(caller, address);
    if (caller) knownCallers.note(credentials, limitKey);
    else knownCallers.forget(credentials);
    return { caller, refusal: undefined, limitKey };
  } catch (refusal) {
    knownCallers.forget(credentials);
    return { caller: undefined, refusal, limitKey: countsAgainst(undefined, address) };
  }
}
