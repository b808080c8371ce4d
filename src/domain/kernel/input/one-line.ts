/**
 * A text from outside as one line for a header or a terminal. Line breaks, other control characters
 * and those that change the direction of writing become spaces.
 */
export function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Bidi_Control}\u2028\u2029]+/gu, ' ').trim();
}
