/**
 * A text of others for a header or a terminal: without line breaks, other control characters, and
 * those that reverse the direction of writing.
 */
export function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028-\u202e\u2066-\u2069]+/gu, ' ').trim();
}
