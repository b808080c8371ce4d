import type { Caller } from '../../domain/access/caller.ts';
import { networkOf } from './caller-address.ts';

const MEMBER = 'member/';

/**
 * The rate-limit key: of an API key the merchant and environment, so that more keys give no higher
 * limit; of a member the member alone, so that open pages never use up the merchant's requests;
 * without either the network of the address.
 */
export function countsAgainst(caller: Caller | undefined, address: string): string {
  if (caller?.kind === 'member') return `${MEMBER}${caller.memberId}`;
  if (caller) return `${caller.merchantId}/${caller.environment}`;
  return networkOf(address);
}

/** Whether a rate-limit key is a member's. */
export function isMember(against: string): boolean {
  return against.startsWith(MEMBER);
}
