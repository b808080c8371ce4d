import { hash } from 'node:crypto';
import { keepNewest } from '../../async/keep-newest.ts';
import type { Credentials } from '../access/authenticate.ts';

/** Maximum remembered callers. The least recently seen is removed first. */
export const MAX_KNOWN = 20_000;
/** After this time the credentials of a caller must be verified again to count as proven. */
const KNOWN_FOR_MS = 300_000;

/** Returns the value of the member-session cookie in a `Cookie` header. */
export type SessionOf = (cookie: string) => string | undefined;

interface KnownCaller {
  readonly limitKey: string;
  readonly untilMs: number;
}

/**
 * Callers whose credentials were valid recently. Each request is still authenticated. The class
 * only decides in which lane a request waits for that, and for which caller it is counted.
 */
export class KnownCallers {
  readonly #known = new Map<string, KnownCaller>();
  readonly #sessionOf: SessionOf;

  constructor(sessionOf: SessionOf) {
    this.#sessionOf = sessionOf;
  }

  note(credentials: Credentials, limitKey: string): void {
    const key = keyOf(credentials, this.#sessionOf);
    if (key === undefined) return;
    keepNewest(this.#known, key, { limitKey, untilMs: performance.now() + KNOWN_FOR_MS }, MAX_KNOWN);
  }

  /** Removes credentials that are no longer valid. */
  forget(credentials: Credentials): void {
    const key = keyOf(credentials, this.#sessionOf);
    if (key !== undefined) this.#known.delete(key);
  }

  /**
   * The rate-limit key of a request with these credentials, if they were valid recently.
   */
  find(credentials: Credentials): string | undefined {
    const key = keyOf(credentials, this.#sessionOf);
    const known = key === undefined ? undefined : this.#known.get(key);
    return known && known.untilMs > performance.now() ? known.limitKey : undefined;
  }
}

/** Whether a request has credentials, valid or not. Any cookie counts. */
export function hasCredentials({ authorization, cookie }: Credentials): boolean {
  return authorization !== undefined || cookie !== undefined;
}

/**
 * One map key for each API key; for a member session, one for each combination of the facts that
 * decide whether its cookie is accepted. With the raw header as map key, a caller could fill the
 * map with different spellings and cookies until all others were removed. It is a hash, because
 * the secret must not stay in memory after the request.
 */
function keyOf(credentials: Credentials, sessionOf: SessionOf): string | undefined {
  if (!hasCredentials(credentials)) return undefined;
  const { authorization, cookie = '', isSocket, method, origin, fetchSite, environment } = credentials;
  const key = authorization?.replace(/^bearer +/i, '').trim();
  // Without an origin, the value of `Sec-Fetch-Site` decides; otherwise it can be anything.
  const site = origin === undefined ? fetchSite : undefined;
  const identity = key ?? JSON.stringify([sessionOf(cookie), isSocket, method, origin, site, environment]);
  return hash('sha256', identity, 'base64');
}
