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
import { SUBSCRIPTIONS_PROGRAM, USDC_MINT } from '../localnet/genesis.ts';
import { TOKEN_PROGRAM } from '../localnet/token.ts';
import { NO_ADDRESS, planPda, tokenAccountAddress } from '../src/chain/accounts/addresses.ts';
import type { Db } from '../src/db/db.ts';
import type { Scope } from '../src/domain/access/scope.ts';
import type { LocalnetClient } from './localnet-client.ts';

export const HOUR_SECONDS = 3_600;
export const PRICE = 1_000_000n;
const RENT_LAMPORTS = 5_000_000;
const START_BALANCE = PRICE * 1_000_000n;
const CHAIN_PLAN_ID = 1n;
const MAX_U64 = 2n ** 64n - 1n;
const MAX_DESTINATIONS = 4;
/** The init id of the authorities, which is their creation slot. Their subscriptions repeat it. */
const INIT_ID = 1n;

const createAddress = (): Address => getAddressDecoder().decode(randomBytes(32));

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
}

/**
 * Creates a merchant with an hourly plan and `count` customers whose first payments are due at
 * `startedAt` (Unix seconds). Accounts and rows are written directly, as they are after
 * subscribing.
 */
export async function seedSubscriptions(
  { client, db, collector }: { client: LocalnetClient; db: Db; collector: Address },
  { count, startedAt }: { count: number; startedAt: number },
): Promise<void> {
  const merchant = createAddress();
  const [plan, planBump] = await planPda(merchant, CHAIN_PLAN_ID);
  const terms = { amount: PRICE, periodHours: 1n, createdAt: BigInt(startedAt) };
  await client.call('surfnet_setTokenAccount', [merchant, USDC_MINT, { amount: 0 }]);
  await writeAccount(
    client,
    plan,
    getPlanEncoder().encode({
      discriminator: AccountDiscriminator.Plan,
      owner: merchant,
      bump: planBump,
      status: PlanStatus.Active,
      data: {
        planId: CHAIN_PLAN_ID,
        mint: USDC_MINT,
        terms,
        endTs: 0n,
        destinations: listWithOne(merchant),
        pullers: listWithOne(collector),
        metadataUri: '',
      },
    }),
  );
  const customers = await Promise.all(
    Array.from({ length: count }, () =>
      writeSubscription(
        client,
        { plan, ...terms },
        { wallet: createAddress(), startedAt, balance: START_BALANCE },
      ),
    ),
  );
  await seedRows(db, { merchant, plan, customers, startedAt });
}

/**
 * Writes the accounts as they are after subscribing: the token account with the approval, the
 * authority and the subscription.
 */
export async function writeSubscription(
  client: LocalnetClient,
  { plan, ...terms }: SeededTerms,
  {
    wallet,
    startedAt,
    balance,
  }: { readonly wallet: Address; readonly startedAt: number; readonly balance: bigint },
): Promise<SeededSubscription> {
  const [[authority, authorityBump], [address, bump]] = await Promise.all([
    findSubscriptionAuthorityPda({ user: wallet, tokenMint: USDC_MINT }),
    findSubscriptionDelegationPda({ planPda: plan, subscriber: wallet }),
  ]);
  await client.call('surfnet_setTokenAccount', [
    wallet,
    USDC_MINT,
    { amount: String(balance), delegate: authority, delegatedAmount: String(MAX_U64) },
  ]);
  await writeAccount(
    client,
    authority,
    getSubscriptionAuthorityEncoder().encode({
      discriminator: AccountDiscriminator.SubscriptionAuthority,
      user: wallet,
      tokenMint: USDC_MINT,
      payer: wallet,
      bump: authorityBump,
      initId: INIT_ID,
    }),
  );
  await writeAccount(
    client,
    address,
    getSubscriptionDelegationEncoder().encode({
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
    }),
  );
  return { wallet, address };
}

function writeAccount(client: LocalnetClient, address: Address, data: ReadonlyUint8Array): Promise<unknown> {
  return client.call('surfnet_setAccount', [
    address,
    {
      lamports: RENT_LAMPORTS,
      owner: SUBSCRIPTIONS_PROGRAM,
      data: Buffer.from(data as Uint8Array).toString('hex'),
    },
  ]);
}

async function seedRows(
  db: Db,
  seed: { merchant: Address; plan: Address; customers: readonly SeededSubscription[]; startedAt: number },
): Promise<void> {
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
      intervalSeconds: HOUR_SECONDS,
      mint: USDC_MINT,
      tokenProgram: TOKEN_PROGRAM,
      chainPlanId: CHAIN_PLAN_ID,
      address: seed.plan,
      status: 'ACTIVE',
      chainCreatedAt: BigInt(seed.startedAt),
    },
  });
  await insertSubscriptions(db, { ...scope, planId: plan.id }, seed.customers, seed.startedAt);
}

/**
 * Inserts customers with active subscriptions to a plan, whose payments are due at
 * `startedAtSeconds`. `planId` is the id of the row in the database.
 */
export async function insertSubscriptions(
  db: Db,
  { planId, ...scope }: Scope & { readonly planId: string },
  subscriptions: readonly SeededSubscription[],
  startedAtSeconds: number,
): Promise<void> {
  const startedAt = new Date(startedAtSeconds * 1000);
  const customers = await db.customer.createManyAndReturn({
    data: subscriptions.map(({ wallet }) => ({
      ...scope,
      email: `${wallet.slice(0, 8)}@example.com`,
      walletAddress: wallet,
    })),
  });
  const idOf = new Map(customers.map(({ walletAddress, id }) => [walletAddress, id]));
  await db.subscription.createMany({
    data: await Promise.all(
      subscriptions.map(async ({ wallet, address }) => ({
        ...scope,
        planId,
        customerId: idOf.get(wallet) ?? '',
        address,
        chainCreatedAt: BigInt(startedAtSeconds),
        walletAddress: wallet,
        tokenAccount: await tokenAccountAddress(wallet, USDC_MINT, TOKEN_PROGRAM),
        startedAt,
        nextPaymentAt: startedAt,
        nextAttemptAt: startedAt,
      })),
    ),
  });
}

function listWithOne(address: Address): Address[] {
  return [address, ...Array.from({ length: MAX_DESTINATIONS - 1 }, () => NO_ADDRESS)];
}
