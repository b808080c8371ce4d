import { createHash } from 'node:crypto';
import { type Address, getAddressDecoder } from '@solana/kit';

/** An address derived from a name. It has no private key. */
export function namedAddress(name: string): Address {
  return getAddressDecoder().decode(createHash('sha256').update(name).digest());
}
