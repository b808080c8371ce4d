import type { CheckoutSession } from '../../../generated/prisma/client.ts';

/**
 * The redirect URL after success: the merchant's URL with `session_id` added to its query. The rest
 * is unchanged; `URLSearchParams` would encode the whole query again.
 */
export function redirectUrl({ id, successUrl }: Pick<CheckoutSession, 'id' | 'successUrl'>): string | null {
  if (successUrl === null) return null;
  const hashAt = successUrl.indexOf('#');
  const url = hashAt < 0 ? successUrl : successUrl.slice(0, hashAt);
  const hash = hashAt < 0 ? '' : successUrl.slice(hashAt);
  const separator = !url.includes('?') ? '?' : /[?&]$/.test(url) ? '' : '&';
  return `${url}${separator}session_id=${id}${hash}`;
}
