import { createHash } from 'node:crypto';
import { type Address, getAddressDecoder } from '@solana/kit';

/** An address that nobody has the key of, the same for the same name. */
export function namedAddress(name: string): Address {
  return getAddressDecoder().decode(createHash('sha256').update(name).digest());
}
