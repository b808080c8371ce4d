import type { Environment } from '../../../generated/prisma/client.ts';
import { isAllowedHost, isRefusedLiteral } from './address-guard.ts';

const MAX_URL_LENGTH = 2048;
/** Below this, ports belong to services that are no web server (mail, shells, databases of old). */
const FIRST_FREE_PORT = 1024;
const WEB_PORTS = ['80', '443'];

export interface UrlRules {
  readonly environment: Environment;
  /** Hosts that webhooks may go to although they are private or plain http. */
  readonly hostsAllowed: readonly string[];
}

/**
 * Why webhooks do not go to a URL, as the end of a sentence ("must be https"), or undefined where they do. Asked when the
 * URL is given and again before every try: rules and allow-lists change. What a name resolves to is for `publicLookup`.
 */
export function problemOfUrl(text: string, { environment, hostsAllowed }: UrlRules): string | undefined {
  const url = text.length <= MAX_URL_LENGTH ? URL.parse(text) : null;
  if (!url || !['https:', 'http:'].includes(url.protocol)) {
    return `must be an https URL of at most ${MAX_URL_LENGTH} characters`;
  }
  if (url.username || url.password) return 'must not carry a user name or password';
  if (url.protocol !== 'https:' && environment === 'LIVE') return 'must be https';
  if (isAllowedHost(url, hostsAllowed)) return undefined;
  if (isRefusedLiteral(url)) return 'must be on the public internet';
  if (url.port && !WEB_PORTS.includes(url.port) && Number(url.port) < FIRST_FREE_PORT) {
    return `must be on port 80, 443, or ${FIRST_FREE_PORT} and above`;
  }
  return undefined;
}
