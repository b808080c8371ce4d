/** Numbers near the edges of rules. */
import type { Random } from '../../../tools/random.ts';

export const I64_MIN = -(2n ** 63n);
export const I64_MAX = 2n ** 63n - 1n;
const U64_MAX = 2n ** 64n - 1n;
const HOUR = 3600n;

export function isOneIn(random: Random, times: number): boolean {
  return random.below(times) === 0;
}

/** This number, one beside it, or one far away. */
export function nearbyNumber(random: Random, number: bigint): bigint {
  return random.pick([number, number, number, number - 1n, number + 1n, 0n, 1n, U64_MAX]);
}

export function amount(random: Random): bigint {
  return random.pick([0n, 1n, 400n, 500n, 500n, 1_000n, 1_000n, 1_001n, 30_000n, U64_MAX]);
}

/** Times for the rules: around now, a little later, never, and absurd ones. */
export function instant(random: Random, now: bigint): bigint {
  const off = random.pick([-HOUR, -121n, -120n, -119n, -1n, 0n, 1n, HOUR - 1n, HOUR, HOUR + 1n, 3n * HOUR]);
  if (isOneIn(random, 3)) return 0n;
  return isOneIn(random, 12) ? random.pick([-1n, I64_MIN, I64_MAX, 1n]) : now + off;
}

/** Interesting bytes for a number in an account or a call. */
export function extremeNumber(random: Random, now: bigint): bigint {
  const hours = U64_MAX / HOUR;
  return random.pick([
    ...[0n, 1n, -1n, I64_MIN, I64_MIN + 1n, I64_MAX, I64_MAX - 1n, hours, hours + 1n, I64_MAX / HOUR],
    ...[now, now - 1n, now + 1n, now - I64_MAX, I64_MAX - now, I64_MAX - HOUR, I64_MIN + now],
  ]);
}
