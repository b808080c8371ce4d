import { hkdfSync } from 'node:crypto';

/**
 * What `dues listen` signs with: `whsec_` and base64 of 32 bytes. Derived from the API key, so that a receiver's
 * configuration need not change whenever somebody starts to listen; nothing can be learned from it about the key.
 */
export function listeningSecret(apiKey: string): string {
  return `whsec_${Buffer.from(hkdfSync('sha256', apiKey, '', 'dues: listen', 32)).toString('base64')}`;
}
