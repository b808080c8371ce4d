/** The last second of the year 9999, the last that a date can show. */
export const LAST_SECOND = 253_402_300_799n;

/**
 * The date of a time on chain, in unix seconds. The chain stores any number of 64 bits as a time,
 * so the date is held between the years 1970 and 9999.
 */
export function dateOf(seconds: bigint): Date {
  const held = seconds < 0n ? 0n : seconds > LAST_SECOND ? LAST_SECOND : seconds;
  return new Date(Number(held) * 1000);
}

/** The whole seconds since 1970, the unit of times on chain. */
export function unixSeconds(date: Date): bigint {
  return BigInt(Math.floor(date.getTime() / 1000));
}
