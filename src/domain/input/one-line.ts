/**
 * A text from outside as one line for a header or a terminal. Line breaks, other control characters
 * and those that reverse the direction of writing become spaces.
 */
export function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028-\u202e\u2066-\u2069]+/gu, ' ').trim();
}
