import type { CheckoutSession } from '../../generated/prisma/client.ts';

/**
 * Where the customer goes after success: the merchant's URL with `session_id` added to its query. The rest of it stays
 * as the merchant wrote it, to the byte; `URL` would encode the whole query anew.
 */
export function redirectUrl({ id, successUrl }: Pick<CheckoutSession, 'id' | 'successUrl'>): string | null {
  if (successUrl === null) return null;
  const hashAt = successUrl.indexOf('#');
  const url = hashAt < 0 ? successUrl : successUrl.slice(0, hashAt);
  const hash = hashAt < 0 ? '' : successUrl.slice(hashAt);
  const separator = !url.includes('?') ? '?' : /[?&]$/.test(url) ? '' : '&';
  return `${url}${separator}session_id=${id}${hash}`;
}
