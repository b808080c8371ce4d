/** Customers without SOL, for whom the collector pays. */
import { address, generateKeyPairSigner, type KeyPairSigner } from '@solana/kit';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { AppContext } from '../../../src/app.ts';
import { decodeSubscription } from '../../../src/chain/accounts/accounts.ts';
import { authorityAddress, subscriptionAddress } from '../../../src/chain/accounts/addresses.ts';
import { readAccounts } from '../../../src/chain/accounts/read-accounts.ts';
import type { Chain } from '../../../src/chain/chain.ts';
import { sendWire } from '../../../src/chain/rpc/send.ts';
import { settleSponsored } from '../../../src/domain/checkout/settle-sponsored.ts';
import { reserve, sponsoredSince } from '../../../src/domain/checkout/sponsor-budget.ts';
import { transactionsToSign } from '../../../src/domain/checkout/transactions-to-sign.ts';
import { readCollectors } from '../../../src/domain/collector/read-collectors.ts';
import { updateSettings } from '../../../src/domain/merchant/update-settings.ts';
import type { Plan } from '../../../src/generated/prisma/client.ts';
import { hashNetwork } from '../../../src/secrets.ts';
import { signed } from '../../../tools/signed.ts';
import { aroundCalls } from '../../scenarios/around-calls.ts';
import {
  DAY,
  invalid,
  PRICE,
  refusal,
  START_BALANCE,
  startWorld,
  type TestMerchant,
  type World,
} from '../world.ts';

const FEE = 10_000n;
const ONE_SOL = 1_000_000_000n;

let world: World;
let merchant: TestMerchant;
let plan: Plan;
let ctx: AppContext;
let collector: string;

beforeAll(async () => {
  world = await startWorld();
  collector = world.chain.collector.address;
  await world.cheat('surfnet_setAccount', [collector, { lamports: 100_000_000_000 }]);
});
afterAll(() => world.close());
// A merchant of its own, so that no budget was used before.
beforeEach(async () => {
  merchant = await world.newMerchant();
  plan = await world.publishPlan(merchant);
  await updateSettings(world.ctx, merchant.scope, { sponsorsCustomers: true });
  ctx = paying({ maxSponsoredPerDay: 10n * ONE_SOL });
});

/** The service with such limits, or with such a chain. */
function paying(limits: object, chain: Chain = world.chain): AppContext {
  return { ...world.ctx, chain: { TEST: { ...chain, config: { ...chain.config, ...limits } } } };
}

/** A wallet with tokens and no SOL at all. */
async function poorWallet(tokens = START_BALANCE): Promise<KeyPairSigner> {
  const wallet = await generateKeyPairSigner();
  await world.setTokens(wallet.address, tokens);
  return wallet;
}

const open = () => world.openSession(merchant, plan, { idempotencyKey: crypto.randomUUID() });
const ask = (sessionId: string, wallet: KeyPairSigner, by = ctx) =>
  transactionsToSign(by, sessionId, { userWallet: wallet.address });
const refused = async (wallet: KeyPairSigner, by = ctx) => refusal(ask(await open(), wallet, by));
const lamportsOf = async (owner: string) => {
  const [account] = await readAccounts(world.chain, [address(owner)]);
  return account?.lamports ?? 0n;
};
const addressOf = (wallet: KeyPairSigner) => subscriptionAddress(address(plan.address), wallet.address);
const rowsOf = () => world.db.sponsoredTransaction.findMany({ where: { merchantId: merchant.merchant.id } });
const spent = () => sponsoredSince(world.db, merchant.scope, world.ctx.clock.now());
/** Lets the blockhash of everything that was signed run out. */
async function outlive(): Promise<void> {
  for (let block = 0; block < 151; block += 1) world.network.tick();
}

it('a wallet without SOL subscribes, and its deposits come back to the collector', async () => {
  const sessionId = await open();
  const wallet = await poorWallet();
  const before = await lamportsOf(collector);
  const { transactions, sponsored, costs } = await ask(sessionId, wallet);
  expect({ sponsored, costs }).toEqual({ sponsored: true, costs: { fee: 0n, deposits: 0n } });
  await world.sign(wallet, transactions[0] ?? '');
  const subscription = await addressOf(wallet);
  const [account] = await readAccounts(world.chain, [subscription]);
  expect(decodeSubscription(account?.data ?? new Uint8Array()).payer).toBe(collector);
  const [authority] = await readAccounts(world.chain, [
    await authorityAddress(wallet.address, address(plan.mint)),
  ]);
  const cost = FEE + (account?.lamports ?? 0n) + (authority?.lamports ?? 0n);
  expect(before - (await lamportsOf(collector))).toBe(cost);
  await world.mirror(subscription);
  expect(await world.db.checkoutSession.findUnique({ where: { id: sessionId } })).toMatchObject({
    status: 'COMPLETED',
  });
  await settleSponsored(world.ctx, 'TEST');
  expect(await rowsOf()).toMatchObject([{ status: 'LANDED', lamports: cost, sessionId }]);
  const [state] = await readCollectors(world.ctx, world.chain);
  expect(state?.lamportsPerDay).toBeGreaterThan(0n);

  // The wallet gets SOL, cancels and closes the account after its period.
  await world.cheat('surfnet_setAccount', [wallet.address, { lamports: Number(ONE_SOL) }]);
  await world.onChain.cancel(wallet, plan);
  await world.travel(DAY);
  const held = await lamportsOf(collector);
  await world.onChain.closeFor(wallet, plan, collector);
  expect((await lamportsOf(collector)) - held).toBe(account?.lamports);
});

it('is off until the merchant and the operator allow it', async () => {
  const wallet = await poorWallet();
  expect(await refused(wallet, world.ctx)).toEqual(invalid('userWallet'));
  await updateSettings(world.ctx, merchant.scope, { sponsorsCustomers: false });
  expect(await refused(wallet)).toEqual(invalid('userWallet'));
  expect(await rowsOf()).toEqual([]);
});

it('a wallet with SOL pays itself', async () => {
  const { sponsored } = await ask(await open(), await world.newWallet());
  expect(sponsored).toBeUndefined();
});

it('refuses wallets that could not pay the first payment, or whose rent would be theirs', async () => {
  expect(await refused(await poorWallet(PRICE - 1n))).toEqual(invalid('userWallet'));
  expect(await refused(await generateKeyPairSigner())).toEqual(invalid('userWallet'));
  expect(await rowsOf()).toEqual([]);
});

it('gives a session one transaction at a time, the same bytes as long as they can land', async () => {
  const sessionId = await open();
  const wallet = await poorWallet();
  const { transactions } = await ask(sessionId, wallet);
  expect((await ask(sessionId, wallet)).transactions).toEqual(transactions);
  expect(await refusal(ask(sessionId, await poorWallet()))).toEqual(invalid('userWallet'));
  expect(await rowsOf()).toHaveLength(1);
  // The same wallet in another session would be paid for twice.
  expect(await refused(wallet)).toEqual(invalid('userWallet'));
  await outlive();
  expect(await refusal(ask(sessionId, wallet))).toEqual(invalid('userWallet'));
  await settleSponsored(world.ctx, 'TEST');
  expect(await rowsOf()).toMatchObject([{ status: 'EXPIRED', lamports: 0n, wire: null }]);
  expect(await spent()).toBe(0n);
  expect((await ask(sessionId, wallet)).transactions).not.toEqual(transactions);
  await world.travel(DAY);
  await expireAll();
  await settleSponsored(world.ctx, 'TEST');
  expect(await rowsOf()).toEqual([]);
});

it('pays once for a wallet and a plan, and only the fee of what failed', async () => {
  const wallet = await poorWallet();
  const { transactions } = await ask(await open(), wallet);
  // The wallet loses its token account before it signs.
  await world.closeTokens(wallet, plan);
  const { wire } = await signed(wallet, transactions[0] ?? '');
  await sendWire(world.chain, wire);
  world.network.tick();
  await settleSponsored(world.ctx, 'TEST');
  expect(await rowsOf()).toMatchObject([{ status: 'FAILED', lamports: FEE }]);
  await world.setTokens(wallet.address, START_BALANCE);
  const again = await ask(await open(), wallet);
  await world.sign(wallet, again.transactions[0] ?? '');
  await settleSponsored(world.ctx, 'TEST');
  expect(await rowsOf()).toHaveLength(2);
});

it('a changed transaction is worth nothing, because the collector signed every byte', async () => {
  const wallet = await poorWallet();
  const { transactions } = await ask(await open(), wallet);
  const bytes = Buffer.from(transactions[0] ?? '', 'base64');
  // The last byte belongs to the memo.
  bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
  const before = await lamportsOf(collector);
  await expect(world.sign(wallet, bytes.toString('base64'))).rejects.toThrow();
  expect(await lamportsOf(collector)).toBe(before);
});

it('does not sign what would spend the collector’s SOL on anything else', async () => {
  const elsewhere = await generateKeyPairSigner();
  const transfer = { source: collector, destination: elsewhere.address, lamports: 1 };
  const thief = aroundCalls(world.chain, async (method, send) => {
    const answer = await send();
    if (method !== 'simulateTransaction') return answer;
    const { value } = answer as { value: { innerInstructions?: object[] | null } };
    const call = {
      programId: '11111111111111111111111111111111',
      program: 'system',
      parsed: { type: 'transfer', info: transfer },
    };
    const inner = [...(value.innerInstructions ?? []), { index: 1, instructions: [call] }];
    return { ...(answer as object), value: { ...value, innerInstructions: inner } };
  });
  const by = paying({ maxSponsoredPerDay: ONE_SOL }, thief);
  expect(await refused(await poorWallet(), by)).toEqual(invalid('userWallet'));
  expect(await rowsOf()).toEqual([]);
});

it('keeps what the collector needs for its own work', async () => {
  const before = await lamportsOf(collector);
  await world.cheat('surfnet_setAccount', [collector, { lamports: 50_000_000 }]);
  expect(await refused(await poorWallet())).toEqual(invalid('userWallet'));
  await world.cheat('surfnet_setAccount', [collector, { lamports: Number(before) }]);
  expect(await rowsOf()).toEqual([]);
});

it('the budgets hold, of the merchant, of the operator for it and of all merchants', async () => {
  const { lamports } = await firstRow();
  expect(await spent()).toBe(lamports);
  await updateSettings(world.ctx, merchant.scope, { sponsoredLamportsPerDay: 2n * lamports - 1n });
  expect(await refused(await poorWallet())).toEqual(invalid('userWallet'));
  await updateSettings(world.ctx, merchant.scope, { sponsoredLamportsPerDay: ONE_SOL });
  const little = paying({ maxSponsoredPerDay: ONE_SOL, maxSponsoredPerMerchant: 2n * lamports - 1n });
  expect(await refused(await poorWallet(), little)).toEqual(invalid('userWallet'));
  const all = await sponsoredSince(world.db, { environment: 'TEST' }, world.ctx.clock.now());
  const none = paying({ maxSponsoredPerDay: all + lamports - 1n });
  expect(await refused(await poorWallet(), none)).toEqual(invalid('userWallet'));
  // Two fit, of however many who ask at once.
  const two = { maxSponsoredPerDay: ONE_SOL, maxSponsoredPerMerchant: 3n * lamports };
  const wallets = await Promise.all(Array.from({ length: 8 }, () => poorWallet()));
  const sessions = await Promise.all(wallets.map(() => open()));
  const asked = await Promise.allSettled(
    wallets.map((wallet, index) => ask(sessions[index] ?? '', wallet, paying(two))),
  );
  expect(asked.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
  expect(await spent()).toBe(3n * lamports);
});

/** Signs for one customer. */
async function firstRow() {
  await ask(await open(), await poorWallet());
  const [row] = await rowsOf();
  if (!row) throw new Error('Nothing was reserved');
  return row;
}

/** All ask for 1,000 lamports at once, of `max` for the merchant. Returns how many get them. */
async function reserveAll(callers: readonly string[], { max = 25_500n, isPublic = false } = {}) {
  const { merchantId, environment } = merchant.scope;
  const common = { merchantId, environment, planId: plan.id, collector, lamports: 1_000n };
  const limits = { isPublic, all: 10n * ONE_SOL, merchant: [max] };
  const results = await Promise.all(
    callers.map((caller) => {
      const asked = crypto.randomUUID();
      const one = { sessionId: `cs_${asked}`, walletAddress: asked, lastValidBlockHeight: 1n };
      const callerHash = hashNetwork(world.ctx.config.secretKey, caller);
      return reserve(world.ctx, { ...common, ...one, callerHash }, limits);
    }),
  );
  return results.filter((result) => typeof result === 'object').length;
}

const networks = (count: number) =>
  Array.from({ length: count }, (_, index) => `198.18.${index >> 8}.${index & 255}`);

/** Nobody signs what was reserved. */
async function expireAll() {
  for (let left = 1; left > 0; ) {
    await settleSponsored(world.ctx, 'TEST');
    left = (await rowsOf()).filter(({ status }) => status === 'RESERVED').length;
  }
}

it('concurrent requests of strangers reserve no more than the budget', async () => {
  expect(await reserveAll(networks(200))).toBe(25);
  expect(await spent()).toBe(25_000n);
});

it('1,000 strangers who do not sign hold a half, then a quarter: customers are sponsored', async () => {
  const max = 100_000n;
  const strangers = networks(1_000);
  expect(await reserveAll(strangers, { max, isPublic: true })).toBe(50);
  // The customer of a merchant's own backend, while they hold it.
  expect(await reserveAll(['203.0.113.1'], { max })).toBe(1);
  await expireAll();
  expect(await spent()).toBe(0n);
  // Those who have held something get what is below a quarter.
  const known = strangers.slice(0, 50);
  const again = await reserveAll([...known, ...known], { max, isPublic: true });
  expect(again).toBe(25);
  // A customer who comes for the first time, with the same link.
  expect(await reserveAll(['203.0.113.2'], { max, isPublic: true })).toBe(1);
});

it('one stranger reserves little, with any number of requests', async () => {
  const max = 100_000n;
  expect(await reserveAll(Array<string>(200).fill('203.0.113.9'), { max, isPublic: true })).toBe(4);
  await expireAll();
  // As long as nobody else is waiting, a customer may try again.
  expect(await reserveAll(['203.0.113.9'], { max, isPublic: true })).toBe(1);
});
