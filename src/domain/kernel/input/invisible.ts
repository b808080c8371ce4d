/**
 * Characters that show nothing, such as zero-width spaces, Hangul fillers and tags, or that change the
 * direction of writing. Joiners and variation selectors are allowed: emoji and some scripts need them.
 */
const INVISIBLE = /(?!\u200c|\u200d|\ufe0e|\ufe0f)[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}]/gu;

/** Removes invisible characters. */
export function withoutInvisible(text: string): string {
  return text.replace(INVISIBLE, '');
}

/** Whether the text shows anything: not only spaces, joiners and the empty pattern of Braille. */
export function isVisible(text: string): boolean {
  return /[^\s\p{Cc}\p{Default_Ignorable_Code_Point}\u2800]/u.test(text);
}
