import { hkdfSync } from 'node:crypto';

/**
 * The secret of `dues listen`: `whsec_` and base64 of 32 bytes. It derives from the API key, so
 * that the configuration of the developer's server stays valid. It reveals nothing about the key.
 */
export function listeningSecret(apiKey: string): string {
  return `whsec_${Buffer.from(hkdfSync('sha256', apiKey, '', 'dues: listen', 32)).toString('base64')}`;
}
