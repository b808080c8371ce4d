import type { Caller } from '../../domain/kernel/access/caller.ts';
import { networkOf } from './caller-address.ts';

const MEMBER = 'member/';

/**
 * The rate-limit key of a caller. For an API key it is the merchant and environment, so that more
 * keys do not raise the limit. For a member it is the member, so that open pages never use up the
 * merchant's requests. Otherwise it is the network of the address.
 */
export function countsAgainst(caller: Caller | undefined, address: string): string {
  if (caller?.kind === 'member') return `${MEMBER}${caller.memberId}`;
  if (caller) return `${caller.merchantId}/${caller.environment}`;
  return networkOf(address);
}

/** Whether a rate-limit key belongs to a member. */
export function isMember(limitKey: string): boolean {
  return limitKey.startsWith(MEMBER);
}
