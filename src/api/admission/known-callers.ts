import { hash } from 'node:crypto';
import { keepNewest } from '../../async/keep-newest.ts';
import type { Credentials } from '../access/authenticate.ts';

/** Maximum remembered callers. The least recently seen is removed first. */
export const MAX_KNOWN = 20_000;
/** After this time a caller is looked up again before it has precedence over strangers. */
const KNOWN_FOR_MS = 300_000;

const SESSION_COOKIE = /(?:^|;\s*)(?:__Host-)?dues_session=([^;]*)/;

interface Known {
  readonly against: string;
  readonly untilMs: number;
}

/**
 * Callers whose credentials were valid recently. Each request is still authenticated. This only
 * decides in which lane a request waits for that, and for which caller it is counted.
 */
export class KnownCallers {
  readonly #known = new Map<string, Known>();

  note(credentials: Credentials, against: string): void {
    const key = keyOf(credentials);
    if (key === undefined) return;
    keepNewest(this.#known, key, { against, untilMs: performance.now() + KNOWN_FOR_MS }, MAX_KNOWN);
  }

  /** Removes credentials that are not valid any more. */
  forget(credentials: Credentials): void {
    const key = keyOf(credentials);
    if (key !== undefined) this.#known.delete(key);
  }

  /**
   * The name for which a request with these credentials is counted, if they were valid recently.
   */
  find(credentials: Credentials): string | undefined {
    const key = keyOf(credentials);
    const known = key === undefined ? undefined : this.#known.get(key);
    return known && known.untilMs > performance.now() ? known.against : undefined;
  }
}

/** Whether a request has credentials, valid or not. */
export function hasCredentials({ authorization, cookie }: Credentials): boolean {
  return authorization !== undefined || cookie !== undefined;
}

/**
 * One name for each key or session. With the raw header, a caller could use so many spellings and
 * cookies that all others were removed. The name is not the secret, which must not stay in memory
 * after the request.
 */
function keyOf(credentials: Credentials): string | undefined {
  if (!hasCredentials(credentials)) return undefined;
  const { authorization, cookie = '', isSocket, method, origin, fetchSite, environment } = credentials;
  const key = authorization?.replace(/^bearer +/i, '').trim();
  const session = SESSION_COOKIE.exec(cookie)?.[1];
  const all = key ?? JSON.stringify([session, isSocket, method, origin, fetchSite, environment]);
  return hash('sha256', all, 'base64');
}
