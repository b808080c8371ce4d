/** All signers and other addresses of the random transactions. */
import {
  type Address,
  getAddressEncoder,
  getProgramDerivedAddress,
  type ReadonlyUint8Array,
} from '@solana/kit';
import { addressOf } from '../../../localnet/address-bytes.ts';
import { SUBSCRIPTIONS_PROGRAM } from '../../../localnet/genesis.ts';
import { EVENT_AUTHORITY } from '../program/instructions.ts';
import { TOKEN_2022_PROGRAM_ADDRESS, TOKEN_PROGRAM_ADDRESS } from '../program/tokens.ts';
import { KEY_BYTES } from './call.ts';
import { NOOP_PROGRAM } from './noop-program.ts';

export const SYSTEM_PROGRAM = addressOf(new Uint8Array(KEY_BYTES));
const ASSOCIATED_TOKEN_PROGRAM = 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL' as Address;
const PLANS_PER_MERCHANT = 2;
const NONCES = 2;

/** Kinds of mints, which differ in their program and extensions. */
export type MintKind = 'token' | 'token-2022' | 'inert' | 'hooked';

export interface Mint {
  readonly kind: MintKind;
  readonly address: Address;
  readonly program: Address;
}

export interface KnownTokenAccount {
  readonly address: Address;
  readonly wallet: Address;
  readonly mint: Mint;
}

export interface Authority {
  readonly address: Address;
  readonly user: Address;
  readonly mint: Mint;
}

export interface KnownPlan {
  readonly address: Address;
  readonly bump: number;
  readonly owner: Address;
  readonly id: bigint;
}

export interface KnownDelegation {
  readonly address: Address;
  readonly authority: Authority;
  readonly delegatee: Address;
  readonly nonce: bigint;
}

export type KnownAccounts = Awaited<ReturnType<typeof findKnownAccounts>>;

type Seed = string | ReadonlyUint8Array;

const encoder = getAddressEncoder();
const key = (address: Address): Seed => encoder.encode(address);

function u64(value: bigint): Uint8Array {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(value);
  return bytes;
}

async function derive(seeds: Seed[], programAddress = SUBSCRIPTIONS_PROGRAM) {
  return getProgramDerivedAddress({ programAddress, seeds });
}

/** An address without a key: the machines check no signatures. */
function addressFromName(name: string): Address {
  return addressOf(new Uint8Array(Buffer.alloc(KEY_BYTES, name)));
}

/** Derives every address once, because a derivation takes longer than a transaction. */
export async function findKnownAccounts() {
  const wallets = [addressFromName('wallet 1'), addressFromName('wallet 2'), addressFromName('wallet 3')];
  const mints: Mint[] = (['token', 'token-2022', 'inert', 'hooked'] as const).map((kind) => ({
    kind,
    address: addressFromName(`mint, ${kind}`),
    program: kind === 'token' ? TOKEN_PROGRAM_ADDRESS : TOKEN_2022_PROGRAM_ADDRESS,
  }));
  const tokenAccounts: KnownTokenAccount[] = [];
  const authorities: Authority[] = [];
  const delegations: KnownDelegation[] = [];
  const plans: KnownPlan[] = [];
  const subscriptions = new Map<string, Address>();
  for (const wallet of wallets) {
    for (const mint of mints) {
      const seeds = [key(wallet), key(mint.program), key(mint.address)];
      const [tokenAccount] = await derive(seeds, ASSOCIATED_TOKEN_PROGRAM);
      tokenAccounts.push({ address: tokenAccount, wallet, mint });
      const [address] = await derive(['SubscriptionAuthority', key(wallet), key(mint.address)]);
      authorities.push({ address, user: wallet, mint });
    }
    for (let id = 0n; id < PLANS_PER_MERCHANT; id += 1n) {
      const [address, bump] = await derive(['plan', key(wallet), u64(id)]);
      plans.push({ address, bump, owner: wallet, id });
    }
  }
  for (const authority of authorities) {
    for (const delegatee of wallets) {
      for (let nonce = 0n; nonce < NONCES; nonce += 1n) {
        const partySeeds = [key(authority.address), key(authority.user), key(delegatee)];
        const [address] = await derive(['delegation', ...partySeeds, u64(nonce)]);
        delegations.push({ address, authority, delegatee, nonce });
      }
    }
  }
  for (const plan of plans) {
    for (const wallet of wallets) {
      const [address] = await derive(['subscription', key(plan.address), key(wallet)]);
      subscriptions.set(`${plan.address} ${wallet}`, address);
    }
  }
  const feePayer = addressFromName('fee payer');
  /** For each mint a token account of the first wallet that is not the associated one. */
  const sideTokenAccounts: KnownTokenAccount[] = mints.map((mint) => ({
    address: addressFromName(`side tokenAccount, ${mint.kind}`),
    wallet: wallets[0] as Address,
    mint,
  }));
  const accounts = [
    ...wallets,
    ...[...mints, ...tokenAccounts, ...sideTokenAccounts, ...authorities, ...delegations, ...plans].map(
      ({ address }) => address,
    ),
    ...subscriptions.values(),
  ];
  const programs = [
    ...[SYSTEM_PROGRAM, TOKEN_PROGRAM_ADDRESS, TOKEN_2022_PROGRAM_ADDRESS],
    ...[SUBSCRIPTIONS_PROGRAM, EVENT_AUTHORITY, NOOP_PROGRAM],
  ];
  return {
    wallets,
    mints,
    tokenAccounts,
    sideTokenAccounts,
    authorities,
    delegations,
    plans,
    feePayer,
    accounts,
    programs,
    subscription: (plan: Address, wallet: Address) =>
      subscriptions.get(`${plan} ${wallet}`) ?? (wallets[0] as Address),
  };
}
