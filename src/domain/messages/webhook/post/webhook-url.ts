import type { Environment } from '../../../../generated/prisma/client.ts';
import { hasControlCharacter } from '../../../kernel/input/valid-text.ts';
import { isAllowedHost, isRefusedLiteral, isThisMachine } from './address-guard.ts';

const MAX_URL_LENGTH = 2048;
/** Lower ports belong to services other than web servers (mail, shells, databases). */
const FIRST_FREE_PORT = 1024;
const WEB_PORTS = ['80', '443'];

export interface UrlRules {
  readonly environment: Environment;
  /** Hosts that are allowed although they are private or plain http. */
  readonly hostsAllowed: readonly string[];
}

/**
 * The reason why webhooks cannot be sent to a URL, as the end of a sentence ("must be https"), or
 * undefined if they can. Checked when the URL is set and before every attempt, because allow-lists
 * change. `publicLookup` checks the addresses of a name.
 */
export function problemOfUrl(text: string, { environment, hostsAllowed }: UrlRules): string | undefined {
  if (hasControlCharacter(text)) return 'must not contain control characters';
  const url = text.length <= MAX_URL_LENGTH ? URL.parse(text) : null;
  if (!url || !['https:', 'http:'].includes(url.protocol)) {
    return `must be an https URL of at most ${MAX_URL_LENGTH} characters`;
  }
  if (url.username || url.password) return 'must not contain a user name or password';
  if (url.protocol !== 'https:' && environment === 'LIVE') return 'must be https';
  if (isAllowedHost(url, hostsAllowed)) return undefined;
  if (isRefusedLiteral(url) || isThisMachine(url)) return 'must be on the public internet';
  if (url.port && !WEB_PORTS.includes(url.port) && Number(url.port) < FIRST_FREE_PORT) {
    return `must be on port 80, 443, or ${FIRST_FREE_PORT} and above`;
  }
  return undefined;
}
