/** The random choices that calls of several instructions share. */
import type { Address } from '@solana/kit';
import { TOKEN_PROGRAM_ADDRESS } from '@solana-program/token';
import { SUBSCRIPTIONS_PROGRAM } from '../../../localnet/genesis.ts';
import type { Random } from '../../../tools/random.ts';
import { EVENT_AUTHORITY } from '../program/instructions.ts';
import { type Call, type Meta, meta } from './call.ts';
import type { Authority, KnownAccounts, Mint } from './known-accounts.ts';
import { NOOP_PROGRAM } from './noop-program.ts';
import { I64_MIN, isOneIn, nearbyNumber, randomAmount } from './numbers.ts';
import { type ExistingAccount, i64At, KINDS, type State } from './state.ts';

export interface Scene {
  readonly random: Random;
  readonly known: KnownAccounts;
  readonly state: State;
  readonly now: bigint;
}

export type CallBuilder = (scene: Scene) => Omit<Call, 'program'>;

export const EVENTS: readonly Meta[] = [meta(EVENT_AUTHORITY), meta(SUBSCRIPTIONS_PROGRAM)];
export const HOUR_SECONDS = 3600n;

export function pulledAmount(random: Random, remaining: bigint): bigint {
  return isOneIn(random, 3) ? randomAmount(random) : nearbyNumber(random, remaining);
}

/** An optional payer of the rent: in a third of the cases a wallet, otherwise none. */
export function randomSponsor(random: Random, known: KnownAccounts): Meta[] {
  return isOneIn(random, 3) ? [meta(random.pick(known.wallets), 'sw')] : [];
}

export function tokenAccountOf(
  { tokenAccounts, sideTokenAccounts }: KnownAccounts,
  wallet: Address,
  mint: Mint,
): Address {
  const tokenAccount = tokenAccounts.find((account) => account.wallet === wallet && account.mint === mint);
  return (tokenAccount ?? sideTokenAccounts[0])?.address ?? wallet;
}

export function randomReceiver({ random, known }: Scene, mint: Mint): Address {
  const candidates = [...known.tokenAccounts, ...known.sideTokenAccounts].filter(
    (tokenAccount) => tokenAccount.mint === mint,
  );
  return random.pick(candidates).address;
}

export function mintAt({ random, known }: Scene, address: Address | null): Mint {
  return known.mints.find((mint) => mint.address === address) ?? random.pick(known.mints);
}

export function authorityAt({ authorities }: KnownAccounts, address: Address): Authority {
  return authorities.find((account) => account.address === address) ?? (authorities[0] as Authority);
}

export function existingAuthority({ random, known, state }: Scene): Authority {
  const existing = state.of(KINDS.authority);
  if (existing.length === 0 || isOneIn(random, 6)) return random.pick(known.authorities);
  return authorityAt(known, random.pick(existing).address);
}

export function existingPlan({ random, state }: Scene): ExistingAccount | undefined {
  return random.shuffled(state.of(KINDS.plan))[0];
}

/**
 * The init id that the signer expects: mostly the correct one, or I64_MIN for "created in this
 * slot".
 */
export function expectedInitId({ random, state }: Scene, authority: Address): bigint {
  const existingAccount = state.get(authority);
  if (!existingAccount || isOneIn(random, 5)) return I64_MIN;
  return isOneIn(random, 12) ? nearbyNumber(random, i64At(existingAccount, 98)) : i64At(existingAccount, 98);
}

/** The accounts of a transfer hook: mostly the hook's program. Mints without a hook ignore them. */
export function randomHookAccounts({ random, known }: Scene, { kind, program }: Mint): Meta[] {
  const extras = kind === 'hooked' && !isOneIn(random, 6) ? [meta(NOOP_PROGRAM)] : [];
  if (program === TOKEN_PROGRAM_ADDRESS || !isOneIn(random, 4)) return extras;
  return [...extras, meta(random.pick(known.accounts), random.pick(['', 'w', 's', 'sw'] as const))];
}
