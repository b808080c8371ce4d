const DIGITS = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

/**
 * Encodes a signature in base58. It runs once per checkout, so the code is short rather than fast.
 */
export function toBase58(bytes: Uint8Array): string {
  let text = '';
  for (let rest = bytes.reduce((sum, byte) => sum * 256n + BigInt(byte), 0n); rest > 0n; rest /= 58n) {
    text = DIGITS.charAt(Number(rest % 58n)) + text;
  }
  const zeros = bytes.findIndex((byte) => byte !== 0);
  return '1'.repeat(zeros < 0 ? bytes.length : zeros) + text;
}
