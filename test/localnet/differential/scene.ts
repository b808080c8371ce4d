/** The choices for random calls that several instructions share. */
import type { Address } from '@solana/kit';
import { TOKEN_PROGRAM_ADDRESS } from '@solana-program/token';
import { SUBSCRIPTIONS_PROGRAM } from '../../../localnet/genesis.ts';
import type { Random } from '../../../tools/random.ts';
import { EVENT_AUTHORITY } from '../program/instructions.ts';
import { BYSTANDER } from './bystander-program.ts';
import { type Call, type Meta, meta } from './call.ts';
import { amount, I64_MIN, isOneIn, nearbyNumber } from './numbers.ts';
import type { Authority, Mint, Places } from './places.ts';
import { i64At, KINDS, type Live, type State } from './state.ts';

export interface Scene {
  readonly random: Random;
  readonly places: Places;
  readonly state: State;
  readonly now: bigint;
}

export type Maker = (scene: Scene) => Omit<Call, 'program'>;

export const EVENTS: readonly Meta[] = [meta(EVENT_AUTHORITY), meta(SUBSCRIPTIONS_PROGRAM)];
export const HOUR = 3600n;

export function pulledAmount(random: Random, left: bigint): bigint {
  return isOneIn(random, 3) ? amount(random) : nearbyNumber(random, left);
}

/** Often undefined, else another payer of the rent. */
export function sponsor(random: Random, places: Places): Meta[] {
  return isOneIn(random, 3) ? [meta(random.pick(places.wallets), 'sw')] : [];
}

export function purseOf({ purses, sidePurses }: Places, wallet: Address, mint: Mint): Address {
  const purse = purses.find((one) => one.wallet === wallet && one.mint === mint);
  return (purse ?? sidePurses[0])?.address ?? wallet;
}

export function receiver({ random, places }: Scene, mint: Mint): Address {
  const mine = [...places.purses, ...places.sidePurses].filter((purse) => purse.mint === mint);
  return random.pick(mine).address;
}

export function mintAt({ random, places }: Scene, address: Address | null): Mint {
  return places.mints.find((mint) => mint.address === address) ?? random.pick(places.mints);
}

export function authorityAt({ authorities }: Places, address: Address): Authority {
  return authorities.find((one) => one.address === address) ?? (authorities[0] as Authority);
}

export function liveAuthority({ random, places, state }: Scene): Authority {
  const there = state.of(KINDS.authority);
  if (there.length === 0 || isOneIn(random, 6)) return random.pick(places.authorities);
  return authorityAt(places, random.pick(there).address);
}

export function livePlan({ random, state }: Scene): Live | undefined {
  return random.shuffled(state.of(KINDS.plan))[0];
}

/** The value that the signer expects: mostly right, or "the one of this slot". */
export function seenInitId({ random, state }: Scene, authority: Address): bigint {
  const live = state.get(authority);
  if (!live || isOneIn(random, 5)) return I64_MIN;
  return isOneIn(random, 12) ? nearbyNumber(random, i64At(live, 98)) : i64At(live, 98);
}

/** The accounts of a transfer hook, mostly: the hook's program. Other mints ignore them. */
export function hookAccounts({ random, places }: Scene, { kind, program }: Mint): Meta[] {
  const extras = kind === 'hooked' && !isOneIn(random, 6) ? [meta(BYSTANDER)] : [];
  if (program === TOKEN_PROGRAM_ADDRESS || !isOneIn(random, 4)) return extras;
  return [...extras, meta(random.pick(places.accounts), random.pick(['', 'w', 's', 'sw'] as const))];
}
