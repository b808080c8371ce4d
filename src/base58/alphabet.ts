export const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const NO_DIGIT = 255;
const VALUES = new Uint8Array(128).fill(NO_DIGIT);
for (const [value, digit] of [...ALPHABET].entries()) VALUES[digit.charCodeAt(0)] = value;

/** @throws RangeError if the character is not in the alphabet */
export function digitAt(text: string, at: number): number {
  const value = VALUES[text.charCodeAt(at)] ?? NO_DIGIT;
  if (value === NO_DIGIT)
    throw new RangeError(`Not base 58: character ${at + 1} is ${JSON.stringify(text[at])}`);
  return value;
}
