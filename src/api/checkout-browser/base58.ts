const DIGITS = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

/**
 * Encodes a signature in base58. It runs once per checkout, so the code is short rather than fast.
 */
export function toBase58(bytes: Uint8Array): string {
  let text = '';
  for (let value = bytes.reduce((sum, byte) => sum * 256n + BigInt(byte), 0n); value > 0n; value /= 58n) {
    text = DIGITS.charAt(Number(value % 58n)) + text;
  }
  const zeros = bytes.findIndex((byte) => byte !== 0);
  return '1'.repeat(zeros < 0 ? bytes.length : zeros) + text;
}
