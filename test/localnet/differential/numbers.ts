/** Random numbers near the limits in the program's rules. */
import type { Random } from '../../../tools/random.ts';

export const I64_MIN = -(2n ** 63n);
export const I64_MAX = 2n ** 63n - 1n;
const U64_MAX = 2n ** 64n - 1n;
const HOUR_SECONDS = 3600n;

export function isOneIn(random: Random, times: number): boolean {
  return random.below(times) === 0;
}

/** This number, a neighbour of it, or a distant number. */
export function nearbyNumber(random: Random, number: bigint): bigint {
  return random.pick([number, number, number, number - 1n, number + 1n, 0n, 1n, U64_MAX]);
}

export function randomAmount(random: Random): bigint {
  return random.pick([0n, 1n, 400n, 500n, 500n, 1_000n, 1_000n, 1_001n, 30_000n, U64_MAX]);
}

/** A time for the program's rules: near `now`, hours later, 0 (never), or an extreme one. */
export function randomTime(random: Random, now: bigint): bigint {
  const offset = random.pick([
    -HOUR_SECONDS,
    -121n,
    -120n,
    -119n,
    -1n,
    0n,
    1n,
    HOUR_SECONDS - 1n,
    HOUR_SECONDS,
    HOUR_SECONDS + 1n,
    3n * HOUR_SECONDS,
  ]);
  if (isOneIn(random, 3)) return 0n;
  return isOneIn(random, 12) ? random.pick([-1n, I64_MIN, I64_MAX, 1n]) : now + offset;
}

/** A number near a limit, for an account or the data of a call. */
export function extremeNumber(random: Random, now: bigint): bigint {
  const hours = U64_MAX / HOUR_SECONDS;
  return random.pick([
    ...[0n, 1n, -1n, I64_MIN, I64_MIN + 1n, I64_MAX, I64_MAX - 1n, hours, hours + 1n, I64_MAX / HOUR_SECONDS],
    ...[now, now - 1n, now + 1n, now - I64_MAX, I64_MAX - now, I64_MAX - HOUR_SECONDS, I64_MIN + now],
  ]);
}
