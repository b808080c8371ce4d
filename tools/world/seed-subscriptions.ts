import { randomBytes } from 'node:crypto';
import { type Address, getAddressDecoder, type ReadonlyUint8Array } from '@solana/kit';
import {
  AccountDiscriminator,
  CURRENT_PROGRAM_VERSION,
  findSubscriptionAuthorityPda,
  findSubscriptionDelegationPda,
  getPlanEncoder,
  getSubscriptionAuthorityEncoder,
  getSubscriptionDelegationEncoder,
  PlanStatus,
} from '@solana/subscriptions';
import { v7 as uuidv7 } from 'uuid';
import { SUBSCRIPTIONS_PROGRAM, USDC_MINT } from '../../localnet/genesis.ts';
import { TOKEN_PROGRAM } from '../../localnet/token.ts';
import { inChunks } from '../../src/async/in-chunks.ts';
import { mapConcurrently } from '../../src/async/map-concurrently.ts';
import { NO_ADDRESS, planPda, tokenAccountAddress } from '../../src/chain/accounts/addresses.ts';
import { insertRows } from '../../src/db/bulk.ts';
import type { Db } from '../../src/db/db.ts';
import type { Scope } from '../../src/domain/kernel/access/scope.ts';
import type { LocalnetCall, LocalnetClient } from './localnet-client.ts';

export const HOUR_SECONDS = 3_600;
export const PRICE = 1_000_000n;
const RENT_LAMPORTS = 5_000_000;
const START_BALANCE = PRICE * 1_000_000n;
const CHAIN_PLAN_ID = 1n;
export const MAX_U64 = 2n ** 64n - 1n;
const MAX_DESTINATIONS = 4;
/** The init id of the authorities, which is their creation slot. Their subscriptions repeat it. */
const INIT_ID = 1n;

/** Requests of the local network have at most 50 kB, of which a payer needs 1.4. */
const PAYERS_PER_REQUEST = 25;
/** Requests at the same time: one is answered while others are made. */
const REQUESTS = 4;
const ROWS_PER_STATEMENT = 5_000;
const CUSTOMER_COLUMNS = ['id', 'merchantId', 'environment', 'email', 'walletAddress'] as const;
const SUBSCRIPTION_COLUMNS = [
  'id',
  'merchantId',
  'environment',
  'planId',
  'customerId',
  'address',
  'chainCreatedAt',
  'walletAddress',
  'tokenAccount',
  'startedAt',
  'nextPaymentAt',
  'nextAttemptAt',
] as const;
const TRANSITION_COLUMNS = ['id', 'subscriptionId', 'from', 'to', 'reason', 'at'] as const;

/** A random address, whose key nobody has. */
export const createAddress = (): Address => getAddressDecoder().decode(randomBytes(32));

/** The addresses of a customer's wallet and subscription. */
export interface SeededSubscription {
  readonly wallet: Address;
  readonly address: Address;
}

/** The terms of a plan in its account. */
export interface SeededTerms {
  readonly plan: Address;
  readonly amount: bigint;
  readonly periodHours: bigint;
  readonly createdAt: bigint;
  /** Default USDC. */
  readonly mint?: Address;
}

/** A merchant with a plan, as `seedSubscriptions` creates them. */
export interface SeededMerchant {
  readonly merchantId: string;
  readonly wallet: Address;
  readonly plan: Address;
  readonly customers: readonly SeededSubscription[];
}

/** A wallet that subscribes. */
interface SeededPayer {
  readonly wallet: Address;
  readonly startedAt: number;
  readonly balance: bigint;
  /** The delegate of its token account; null for none. Default: its authority. */
  readonly delegate?: Address | null | undefined;
}

/**
 * Creates a merchant with a plan, hourly by default, and `count` customers whose first payments are due at
 * `startedAt` (Unix seconds). Accounts and rows are written directly, as they are after
 * subscribing.
 */
export async function seedSubscriptions(
  { client, db, collector }: { client: LocalnetClient; db: Db; collector: Address },
  {
    count,
    startedAt,
    mint = USDC_MINT,
    balance = START_BALANCE,
    periodHours = 1,
    delegates = [],
  }: {
    readonly count: number;
    readonly startedAt: number;
    readonly mint?: Address;
    readonly balance?: bigint;
    readonly periodHours?: number;
    /** The delegates of the customers' token accounts, where they are not their authorities. */
    readonly delegates?: readonly (Address | null)[];
  },
): Promise<SeededMerchant> {
  const wallet = createAddress();
  const settings = { wallet, collector, startedAt, mint, periodHours, amount: PRICE };
  const terms = await writePlan(client, settings);
  const payers = Array.from({ length: count }, (_, index) => ({
    wallet: createAddress(),
    startedAt,
    balance,
    delegate: delegates[index],
  }));
  const written = await mapConcurrently([...inChunks(payers, PAYERS_PER_REQUEST)], REQUESTS, (chunk) =>
    writeSubscriptions(client, terms, chunk),
  );
  const customers = written.flat();
  const { plan } = terms;
  const merchantId = await seedRows(db, { merchant: wallet, mint, periodHours, plan, customers, startedAt });
  return { merchantId, wallet, plan, customers };
}

/** Writes the accounts of a plan: the plan, and the merchant's token account. */
export async function writePlan(
  client: LocalnetClient,
  {
    wallet,
    collector,
    startedAt,
    mint,
    periodHours = 1,
    amount,
  }: {
    readonly wallet: Address;
    readonly collector: Address;
    readonly startedAt: number;
    readonly mint: Address;
    readonly periodHours?: number;
    readonly amount: bigint;
  },
): Promise<SeededTerms> {
  const [plan, bump] = await planPda(wallet, CHAIN_PLAN_ID);
  const terms = { amount, periodHours: BigInt(periodHours), createdAt: BigInt(startedAt) };
  await client.call('surfnet_setTokenAccount', [wallet, mint, { amount: 0 }]);
  await client.callAll([writeOf(plan, encodePlan({ owner: wallet, puller: collector, bump, mint, terms }))]);
  return { plan, mint, ...terms };
}

/** Writes the accounts of a wallet as they are after subscribing. */
export async function writeSubscription(
  client: LocalnetClient,
  terms: SeededTerms,
  payer: SeededPayer,
): Promise<SeededSubscription> {
  const { calls, ...subscription } = await accountsOf(terms, payer);
  await client.callAll(calls);
  return subscription;
}

async function writeSubscriptions(
  client: LocalnetClient,
  terms: SeededTerms,
  payers: readonly SeededPayer[],
): Promise<SeededSubscription[]> {
  const accounts = await Promise.all(payers.map((payer) => accountsOf(terms, payer)));
  await client.callAll(accounts.flatMap(({ calls }) => calls));
  return accounts.map(({ wallet, address }) => ({ wallet, address }));
}

/**
 * A subscription, and the calls that write its accounts: the token account with the approval, the
 * authority and the subscription.
 */
async function accountsOf(
  { plan, mint = USDC_MINT, ...terms }: SeededTerms,
  { wallet, startedAt, balance, delegate }: SeededPayer,
): Promise<SeededSubscription & { readonly calls: readonly LocalnetCall[] }> {
  const [[authority, authorityBump], [address, bump]] = await Promise.all([
    findSubscriptionAuthorityPda({ user: wallet, tokenMint: mint }),
    findSubscriptionDelegationPda({ planPda: plan, subscriber: wallet }),
  ]);
  const approval = {
    amount: String(balance),
    delegate: delegate === undefined ? authority : delegate,
    delegatedAmount: String(MAX_U64),
  };
  const calls = [
    { method: 'surfnet_setTokenAccount', params: [wallet, mint, approval] },
    writeOf(authority, encodeAuthority({ wallet, mint, bump: authorityBump })),
    writeOf(address, encodeSubscription({ wallet, plan, terms, startedAt, bump })),
  ];
  return { wallet, address, calls };
}

/** The terms of a plan as its account and its subscriptions have them. */
type EncodedTerms = Pick<SeededTerms, 'amount' | 'periodHours' | 'createdAt'>;

/** The data of an active plan's account, with its owner as the only destination. */
export function encodePlan({
  owner,
  puller,
  bump,
  mint,
  terms,
}: {
  readonly owner: Address;
  readonly puller: Address;
  readonly bump: number;
  readonly mint: Address;
  readonly terms: EncodedTerms;
}): ReadonlyUint8Array {
  return getPlanEncoder().encode({
    discriminator: AccountDiscriminator.Plan,
    owner,
    bump,
    status: PlanStatus.Active,
    data: {
      planId: CHAIN_PLAN_ID,
      mint,
      terms,
      endTs: 0n,
      destinations: listWithOne(owner),
      pullers: listWithOne(puller),
      metadataUri: '',
    },
  });
}

/** The data of the account of a wallet's authority. */
export function encodeAuthority({
  wallet,
  mint,
  bump,
}: {
  readonly wallet: Address;
  readonly mint: Address;
  readonly bump: number;
}): ReadonlyUint8Array {
  return getSubscriptionAuthorityEncoder().encode({
    discriminator: AccountDiscriminator.SubscriptionAuthority,
    user: wallet,
    tokenMint: mint,
    payer: wallet,
    bump,
    initId: INIT_ID,
  });
}

/** The data of the account of a subscription of which nothing was pulled, since `startedAt`. */
export function encodeSubscription({
  wallet,
  plan,
  terms,
  startedAt,
  bump,
}: {
  readonly wallet: Address;
  readonly plan: Address;
  readonly terms: EncodedTerms;
  readonly startedAt: number;
  readonly bump: number;
}): ReadonlyUint8Array {
  return getSubscriptionDelegationEncoder().encode({
    header: {
      discriminator: AccountDiscriminator.SubscriptionDelegation,
      version: CURRENT_PROGRAM_VERSION,
      bump,
      delegator: wallet,
      delegatee: plan,
      payer: wallet,
      initId: INIT_ID,
    },
    terms,
    amountPulledInPeriod: 0n,
    currentPeriodStartTs: BigInt(startedAt),
    expiresAtTs: 0n,
  });
}

/** The call that writes an account of the program. */
function writeOf(address: Address, data: ReadonlyUint8Array): LocalnetCall {
  const account = {
    lamports: RENT_LAMPORTS,
    owner: SUBSCRIPTIONS_PROGRAM,
    data: Buffer.from(data as Uint8Array).toString('hex'),
  };
  return { method: 'surfnet_setAccount', params: [address, account] };
}

async function seedRows(
  db: Db,
  seed: {
    readonly merchant: Address;
    readonly mint: Address;
    readonly periodHours: number;
    readonly plan: Address;
    readonly customers: readonly SeededSubscription[];
    readonly startedAt: number;
  },
): Promise<string> {
  const merchant = await db.merchant.create({
    data: { companyName: 'Bench', walletAddress: seed.merchant },
  });
  const scope = { merchantId: merchant.id, environment: 'TEST' as const };
  const plan = await db.plan.create({
    data: {
      ...scope,
      planId: 'hourly',
      name: 'Hourly',
      amount: PRICE,
      intervalSeconds: seed.periodHours * HOUR_SECONDS,
      mint: seed.mint,
      tokenProgram: TOKEN_PROGRAM,
      chainPlanId: CHAIN_PLAN_ID,
      address: seed.plan,
      status: 'ACTIVE',
      chainCreatedAt: BigInt(seed.startedAt),
    },
  });
  await insertSubscriptions(
    db,
    { ...scope, planId: plan.id, mint: seed.mint },
    seed.customers,
    seed.startedAt,
  );
  return merchant.id;
}

/**
 * Inserts customers with active subscriptions to a plan, whose payments are due at
 * `startedAtSeconds`. `planId` is the id of the row in the database.
 */
export async function insertSubscriptions(
  db: Db,
  { planId, mint = USDC_MINT, ...scope }: Scope & { readonly planId: string; readonly mint?: Address },
  subscriptions: readonly SeededSubscription[],
  startedAtSeconds: number,
): Promise<void> {
  const startedAt = new Date(startedAtSeconds * 1000);
  const subscribed = { from: null, to: 'ACTIVE', reason: 'subscribed', at: startedAt } as const;
  for (const chunk of inChunks(subscriptions, ROWS_PER_STATEMENT)) {
    const rows = await Promise.all(
      chunk.map(async ({ wallet, address }) => ({
        ...scope,
        id: uuidv7(),
        planId,
        customerId: uuidv7(),
        address,
        chainCreatedAt: BigInt(startedAtSeconds),
        walletAddress: wallet,
        tokenAccount: await tokenAccountAddress(wallet, mint, TOKEN_PROGRAM),
        startedAt,
        nextPaymentAt: startedAt,
        nextAttemptAt: startedAt,
      })),
    );
    const customers = rows.map(({ customerId, walletAddress }) => ({
      ...scope,
      id: customerId,
      email: `${walletAddress.slice(0, 8)}@example.com`,
      walletAddress,
    }));
    const transitions = rows.map(({ id }) => ({ id: uuidv7(), subscriptionId: id, ...subscribed }));
    await insertRows(db, 'Customer', CUSTOMER_COLUMNS, customers);
    await insertRows(db, 'Subscription', SUBSCRIPTION_COLUMNS, rows);
    await insertRows(db, 'SubscriptionTransition', TRANSITION_COLUMNS, transitions);
  }
}

function listWithOne(address: Address): Address[] {
  return [address, ...Array.from({ length: MAX_DESTINATIONS - 1 }, () => NO_ADDRESS)];
}
