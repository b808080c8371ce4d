import type { Address } from '@solana/kit';

/** Returns a different address for each number, so that a test detects swapped fields. */
export function addressOf(number: number): Address {
  return ADDRESSES[number] as Address;
}

const ADDRESSES = [
  'SysvarC1ock11111111111111111111111111111111',
  'SysvarRent111111111111111111111111111111111',
  'SysvarS1otHashes111111111111111111111111111',
  'SysvarStakeHistory1111111111111111111111111',
  'Sysvar1nstructions1111111111111111111111111',
  'SysvarRecentB1ockHashes11111111111111111111',
];
