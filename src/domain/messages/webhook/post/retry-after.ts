/**
 * The delay of a `Retry-After` header in milliseconds, from seconds or a date (RFC 9110, 10.2.3).
 * Null if it is missing or invalid. Never negative.
 */
export function retryAfterMs(header: string | undefined, now: Date): number | null {
  if (header === undefined) return null;
  const text = header.trim();
  if (/^\d{1,10}$/.test(text)) return Number(text) * 1000;
  // These dates begin with the name of a day; `Date.parse` would also accept `12`.
  const date = /^[A-Z][a-z]{2,8},? /.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? null : Math.max(0, date - now.getTime());
}
