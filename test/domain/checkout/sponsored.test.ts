/** What the collector pays for: customers without SOL, and token accounts of merchants. */
import { address, generateKeyPairSigner, type KeyPairSigner } from '@solana/kit';
import { beforeEach, expect, it } from 'vitest';
import type { AppContext } from '../../../src/app.ts';
import { decodeSubscription } from '../../../src/chain/accounts/accounts.ts';
import { authorityAddress, subscriptionAddress } from '../../../src/chain/accounts/addresses.ts';
import { readAccounts } from '../../../src/chain/accounts/read-accounts.ts';
import type { Chain } from '../../../src/chain/chain.ts';
import { sendWire } from '../../../src/chain/rpc/send.ts';
import { updateSettings } from '../../../src/domain/accounts/merchant/update-settings.ts';
import { receiversLeft, reserveReceivers } from '../../../src/domain/billing/collect/receiver-creations.ts';
import { readCollectors } from '../../../src/domain/chain-state/collector/read-collectors.ts';
import { countsAsCustomer } from '../../../src/domain/chain-state/collector/worth-rent.ts';
import { transactionsToSign } from '../../../src/domain/checkout/signing/transactions-to-sign.ts';
import { settleSponsored } from '../../../src/domain/checkout/sponsoring/settle-sponsored.ts';
import { reserve, sponsoredSince } from '../../../src/domain/checkout/sponsoring/sponsor-budget.ts';
import type { Plan } from '../../../src/generated/prisma/client.ts';
import { hashNetwork } from '../../../src/secrets.ts';
import { signAsWallet } from '../../../tools/world/wallet.ts';
import { aroundCalls } from '../../scenarios/around-calls.ts';
import { sharedByFile } from '../../support/shared-by-file.ts';
import { DAY, invalid, PRICE, refusal, START_BALANCE, startWorld, type TestMerchant } from '../world.ts';

const FEE = 10_000n;
const ONE_SOL = 1_000_000_000n;

let merchant: TestMerchant;
let plan: Plan;
let ctx: AppContext;

const world = await sharedByFile(startWorld());
const collector = world.chain.collector.address;
await world.cheat('surfnet_setAccount', [collector, { lamports: 100_000_000_000 }]);
// Each test has its own merchant, whose budget is unused.
beforeEach(async () => {
  merchant = await world.newMerchant();
  plan = await world.publishPlan(merchant);
  await updateSettings(world.ctx, merchant.scope, { sponsorsCustomers: true });
  ctx = contextWith({ maxSponsoredLamportsPerDay: 10n * ONE_SOL });
});

/** Creates a context with other limits, or with another chain. */
function contextWith(limits: object, chain: Chain = world.chain): AppContext {
  return { ...world.ctx, chain: { TEST: { ...chain, config: { ...chain.config, ...limits } } } };
}

/** Creates a wallet with tokens and no SOL. */
async function newPoorWallet(tokens = START_BALANCE): Promise<KeyPairSigner> {
  const wallet = await generateKeyPairSigner();
  await world.setTokens(wallet.address, tokens);
  return wallet;
}

const openSession = () => world.openSession(merchant, plan, { idempotencyKey: crypto.randomUUID() });
const requestTransactions = (sessionId: string, wallet: KeyPairSigner, context = ctx) =>
  transactionsToSign(context, sessionId, { userWallet: wallet.address });
const refusalFor = async (wallet: KeyPairSigner, context = ctx) =>
  refusal(requestTransactions(await openSession(), wallet, context));
const lamportsOf = async (owner: string) => {
  const [account] = await readAccounts(world.chain, [address(owner)], 'program');
  return account?.lamports ?? 0n;
};
const addressOf = (wallet: KeyPairSigner) => subscriptionAddress(address(plan.address), wallet.address);
const readRows = () =>
  world.db.sponsoredTransaction.findMany({ where: { merchantId: merchant.merchant.id } });
const readSpent = () => sponsoredSince(world.db, merchant.scope, world.ctx.clock.now());
/** Advances the chain until the blockhash of every signed transaction has expired. */
async function expireBlockhashes(): Promise<void> {
  for (let block = 0; block < 151; block += 1) world.network.tick();
}

it('a wallet without SOL subscribes, and its deposits return to the collector', async () => {
  const sessionId = await openSession();
  const wallet = await newPoorWallet();
  const before = await lamportsOf(collector);
  const { transactions, sponsored, costs } = await requestTransactions(sessionId, wallet);
  expect({ sponsored, costs }).toEqual({ sponsored: true, costs: { fee: 0n, deposits: 0n } });
  await world.sign(wallet, transactions[0] ?? '');
  const subscription = await addressOf(wallet);
  const [account] = await readAccounts(world.chain, [subscription], 'program');
  expect(decodeSubscription(account?.data ?? new Uint8Array()).payer).toBe(collector);
  const [authority] = await readAccounts(
    world.chain,
    [await authorityAddress(wallet.address, address(plan.mint))],
    'program',
  );
  const cost = FEE + (account?.lamports ?? 0n) + (authority?.lamports ?? 0n);
  expect(before - (await lamportsOf(collector))).toBe(cost);
  await world.mirror(subscription);
  expect(await world.db.checkoutSession.findUnique({ where: { id: sessionId } })).toMatchObject({
    status: 'COMPLETED',
  });
  await settleSponsored(world.ctx, 'TEST');
  expect(await readRows()).toMatchObject([{ status: 'LANDED', lamports: cost, sessionId }]);
  const [state] = await readCollectors(world.ctx, world.chain);
  expect(state?.lamportsPerDay).toBeGreaterThan(0n);

  // The wallet gets SOL, cancels and closes the account after its period.
  await world.cheat('surfnet_setAccount', [wallet.address, { lamports: Number(ONE_SOL) }]);
  await world.onChain.cancel(wallet, plan);
  await world.travel(DAY);
  const beforeClosing = await lamportsOf(collector);
  await world.onChain.close(wallet, plan, collector);
  expect((await lamportsOf(collector)) - beforeClosing).toBe(account?.lamports);
});

it('is off until the merchant and the operator allow it', async () => {
  const wallet = await newPoorWallet();
  expect(await refusalFor(wallet, world.ctx)).toEqual(invalid('userWallet'));
  await updateSettings(world.ctx, merchant.scope, { sponsorsCustomers: false });
  expect(await refusalFor(wallet)).toEqual(invalid('userWallet'));
  expect(await readRows()).toEqual([]);
});

it('a wallet with SOL pays its own fees', async () => {
  const { sponsored } = await requestTransactions(await openSession(), await world.newWallet());
  expect(sponsored).toBeUndefined();
});

it('a wallet that lacks tokens is told to bring these alone, and then needs no SOL', async () => {
  const sessionId = await openSession();
  const wallet = await newPoorWallet(PRICE - 1n);
  const lacking = { param: 'userWallet', missing: { amount: 1n, lamports: 0n } };
  await expect(requestTransactions(sessionId, wallet)).rejects.toMatchObject(lacking);
  await expect(requestTransactions(sessionId, wallet)).rejects.not.toThrow('SOL');
  await expect(requestTransactions(await openSession(), await generateKeyPairSigner())).rejects.toMatchObject(
    {
      missing: { amount: PRICE, lamports: 0n },
    },
  );
  expect(await readRows()).toEqual([]);
  await world.setTokens(wallet.address, PRICE);
  expect(await requestTransactions(sessionId, wallet)).toMatchObject({ sponsored: true });
});

it('gives a session one transaction at a time, with the same bytes', async () => {
  const sessionId = await openSession();
  const wallet = await newPoorWallet();
  const { transactions } = await requestTransactions(sessionId, wallet);
  expect((await requestTransactions(sessionId, wallet)).transactions).toEqual(transactions);
  expect(await refusal(requestTransactions(sessionId, await newPoorWallet()))).toEqual(invalid('userWallet'));
  expect(await readRows()).toHaveLength(1);
  // Two sessions of one wallet would be paid for twice.
  expect(await refusalFor(wallet)).toEqual(invalid('userWallet'));
  await expireBlockhashes();
  expect(await refusal(requestTransactions(sessionId, wallet))).toEqual(invalid('userWallet'));
  await settleSponsored(world.ctx, 'TEST');
  expect(await readRows()).toMatchObject([{ status: 'EXPIRED', lamports: 0n, wire: null }]);
  expect(await readSpent()).toBe(0n);
  expect((await requestTransactions(sessionId, wallet)).transactions).not.toEqual(transactions);
  await world.travel(DAY);
  await expireAll();
  await settleSponsored(world.ctx, 'TEST');
  expect(await readRows()).toEqual([]);
});

it('pays only the fee of a failed transaction, and then for the next one', async () => {
  const wallet = await newPoorWallet();
  const { transactions } = await requestTransactions(await openSession(), wallet);
  // The wallet loses its token account before it signs.
  await world.closeTokens(wallet, plan);
  const { wire } = await signAsWallet(wallet, transactions[0] ?? '');
  await sendWire(world.chain, wire);
  world.network.tick();
  await settleSponsored(world.ctx, 'TEST');
  expect(await readRows()).toMatchObject([{ status: 'FAILED', lamports: FEE }]);
  await world.setTokens(wallet.address, START_BALANCE);
  const again = await requestTransactions(await openSession(), wallet);
  await world.sign(wallet, again.transactions[0] ?? '');
  await settleSponsored(world.ctx, 'TEST');
  expect(await readRows()).toHaveLength(2);
});

it('a changed transaction is refused, because the collector signed every byte', async () => {
  const wallet = await newPoorWallet();
  const { transactions } = await requestTransactions(await openSession(), wallet);
  const bytes = Buffer.from(transactions[0] ?? '', 'base64');
  // The last byte belongs to the memo.
  bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
  const before = await lamportsOf(collector);
  await expect(world.sign(wallet, bytes.toString('base64'))).rejects.toThrow();
  expect(await lamportsOf(collector)).toBe(before);
});

it('does not sign what would spend the collector’s SOL on anything else', async () => {
  const stranger = await generateKeyPairSigner();
  const transfer = { source: collector, destination: stranger.address, lamports: 1 };
  const thievingChain = aroundCalls(world.chain, async (method, send) => {
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
  const context = contextWith({ maxSponsoredLamportsPerDay: ONE_SOL }, thievingChain);
  expect(await refusalFor(await newPoorWallet(), context)).toEqual(invalid('userWallet'));
  expect(await readRows()).toEqual([]);
});

it('keeps the SOL that the collector needs for collecting', async () => {
  const before = await lamportsOf(collector);
  await world.cheat('surfnet_setAccount', [collector, { lamports: 50_000_000 }]);
  expect(await refusalFor(await newPoorWallet())).toEqual(invalid('userWallet'));
  await world.cheat('surfnet_setAccount', [collector, { lamports: Number(before) }]);
  expect(await readRows()).toEqual([]);
});

it('refuses what exceeds the budget of the merchant, or of all merchants', async () => {
  const { lamports } = await sponsorOne();
  expect(await readSpent()).toBe(lamports);
  await updateSettings(world.ctx, merchant.scope, { sponsoredLamportsPerDay: 2n * lamports - 1n });
  expect(await refusalFor(await newPoorWallet())).toEqual(invalid('userWallet'));
  await updateSettings(world.ctx, merchant.scope, { sponsoredLamportsPerDay: ONE_SOL });
  const lowPerMerchant = contextWith({
    maxSponsoredLamportsPerDay: ONE_SOL,
    maxSponsoredLamportsPerMerchant: 2n * lamports - 1n,
  });
  expect(await refusalFor(await newPoorWallet(), lowPerMerchant)).toEqual(invalid('userWallet'));
  const all = await sponsoredSince(world.db, { environment: 'TEST' }, world.ctx.clock.now());
  const lowForAll = contextWith({ maxSponsoredLamportsPerDay: all + lamports - 1n });
  expect(await refusalFor(await newPoorWallet(), lowForAll)).toEqual(invalid('userWallet'));
  // The budget is enough for two of the eight concurrent requests.
  const limits = { maxSponsoredLamportsPerDay: ONE_SOL, maxSponsoredLamportsPerMerchant: 3n * lamports };
  const wallets = await Promise.all(Array.from({ length: 8 }, () => newPoorWallet()));
  const sessions = await Promise.all(wallets.map(() => openSession()));
  const outcomes = await Promise.allSettled(
    wallets.map((wallet, index) => requestTransactions(sessions[index] ?? '', wallet, contextWith(limits))),
  );
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
  expect(await readSpent()).toBe(3n * lamports);
});

it('pays only for the default token and those that the operator has configured', async () => {
  const mint = await world.newMint();
  plan = await world.publishPlan(merchant, { planId: 'own-token', mint });
  const wallet = await generateKeyPairSigner();
  await world.setTokens(wallet.address, START_BALANCE, mint);
  expect(await refusalFor(wallet)).toEqual(invalid('userWallet'));
  expect(await readRows()).toEqual([]);
  const withAsset = contextWith({
    maxSponsoredLamportsPerDay: 10n * ONE_SOL,
    assets: [{ mint, symbol: 'OWN', name: 'Own' }],
  });
  expect(await requestTransactions(await openSession(), wallet, withAsset)).toMatchObject({
    sponsored: true,
  });
});

it('pays nothing for a merchant that was created too recently', async () => {
  const limits = { maxSponsoredLamportsPerDay: 10n * ONE_SOL, paysRentAfterDays: 7 };
  expect(await refusalFor(await newPoorWallet(), contextWith(limits))).toEqual(invalid('userWallet'));
  const createdAt = new Date(world.ctx.clock.now().getTime() - 7 * DAY * 1_000);
  await world.db.merchant.update({ where: { id: merchant.merchant.id }, data: { createdAt } });
  const wallet = await newPoorWallet();
  expect(await requestTransactions(await openSession(), wallet, contextWith(limits))).toMatchObject({
    sponsored: true,
  });
});

it('keeps half of the daily maximum for merchants that have collected', async () => {
  const { merchantId, environment } = merchant.scope;
  await sponsorOne();
  // No merchant here has collected, and together they have used half of this maximum.
  const all = 2n * (await sponsoredSince(world.db, { environment }, world.ctx.clock.now()));
  const context = contextWith({ maxSponsoredLamportsPerDay: all });
  await world.db.receiptCounter.create({ data: { merchantId, environment, last: 100, customerCount: 2 } });
  expect(await refusalFor(await newPoorWallet(), context)).toEqual(invalid('userWallet'));
  await world.db.receiptCounter.updateMany({ where: { merchantId }, data: { customerCount: 3 } });
  const wallet = await newPoorWallet();
  expect(await requestTransactions(await openSession(), wallet, context)).toMatchObject({ sponsored: true });
  // What a merchant used while it was new still counts in the half of the new ones.
  merchant = await world.newMerchant();
  plan = await world.publishPlan(merchant);
  await updateSettings(world.ctx, merchant.scope, { sponsorsCustomers: true });
  const more = contextWith({ maxSponsoredLamportsPerDay: all + 1n });
  expect(await refusalFor(await newPoorWallet(), more)).toEqual(invalid('userWallet'));
});

const TOKEN = 1_000_000n;
const OTHER_MINT = 'So11111111111111111111111111111111111111112';

it.each([
  ['the first payment of a whole token', {}, true],
  ['a further payment of the subscription', { paymentNumber: 2 }, false],
  ['less than a whole token', { amount: TOKEN - 1n }, false],
  ['a token that the operator does not name', { mint: OTHER_MINT }, false],
  ['a token whose decimals are unknown', { decimals: null }, false],
])(
  'a merchant has collected by customers, not by anything that costs nothing: %s',
  (_name, change, counts) => {
    const tokens = { defaultMint: world.chain.config.defaultMint };
    const payment = { mint: tokens.defaultMint, decimals: 6, amount: TOKEN, paymentNumber: 1, ...change };
    expect(countsAsCustomer(tokens, payment)).toBe(counts);
  },
);

it('pays only for plans that cost at least one whole token', async () => {
  plan = await world.publishPlan(merchant, { planId: 'dust', amount: TOKEN - 1n });
  expect(await refusalFor(await newPoorWallet())).toEqual(invalid('userWallet'));
  expect(await readRows()).toEqual([]);
  plan = await world.publishPlan(merchant, { planId: 'whole', amount: TOKEN });
  const session = await openSession();
  expect(await requestTransactions(session, await newPoorWallet(TOKEN))).toMatchObject({ sponsored: true });
});

it('keeps half of a day’s token accounts for merchants that have collected', async () => {
  const { environment } = merchant.scope;
  const merchants = [merchant, ...(await Promise.all(Array.from({ length: 5 }, () => world.newMerchant())))];
  const collected = merchants.slice(4).map(({ scope }) => ({ ...scope, last: 3, customerCount: 3 }));
  await world.db.receiptCounter.createMany({ data: collected });
  const requested = merchants.map(({ scope: { merchantId } }) => {
    return { merchantId, mint: plan.mint, transactionId: merchantId, collector };
  });
  const now = world.ctx.clock.now();
  const reserveFor = (rows: typeof requested, max: number, afterDays = 0) =>
    world.db.$transaction((tx) => reserveReceivers(tx, environment, rows, { now, max, afterDays }));
  expect((await reserveFor(requested, 4, 1)).size).toBe(6);
  // Two of the four that are new, and both that have collected.
  const refused = await reserveFor(requested, 4);
  expect(refused.size).toBe(2);
  for (const { merchantId } of collected) expect(refused.has(merchantId)).toBe(false);
  expect(await receiversLeft(world.db, environment, 4, now)).toEqual({ all: 0, forNew: 0 });
  expect(await receiversLeft(world.db, environment, 5, now)).toEqual({ all: 1, forNew: 1 });
  expect(await receiversLeft(world.db, environment, 40, now)).toEqual({ all: 36, forNew: 18 });
  await world.db.receiverAccount.deleteMany();
});

/** Sponsors one customer, and returns the reservation. */
async function sponsorOne() {
  await requestTransactions(await openSession(), await newPoorWallet());
  const [row] = await readRows();
  if (!row) throw new Error('No reservation');
  return row;
}

/** Reserves 1,000 lamports for each caller at once. Returns how many fit the budget `max`. */
async function reserveAll(callers: readonly string[], { max = 25_500n, isPublic = false } = {}) {
  const { merchantId, environment } = merchant.scope;
  const common = { merchantId, environment, planId: plan.id, collector, lamports: 1_000n };
  const limits = { isPublic, isNew: false, all: 10n * ONE_SOL, merchant: [max] };
  const results = await Promise.all(
    callers.map((caller) => {
      const id = crypto.randomUUID();
      const request = { sessionId: `cs_${id}`, walletAddress: id, lastValidBlockHeight: 1n };
      const callerHash = hashNetwork(world.ctx.config.secretKey, caller);
      return reserve(world.ctx, { ...common, ...request, callerHash }, limits);
    }),
  );
  return results.filter((result) => typeof result === 'object').length;
}

const addressesOfNetworks = (count: number) =>
  Array.from({ length: count }, (_, index) => `198.18.${index >> 8}.${index & 255}`);

/** Settles until every reservation has expired without a signature. */
async function expireAll() {
  for (let reserved = 1; reserved > 0; ) {
    await settleSponsored(world.ctx, 'TEST');
    reserved = (await readRows()).filter(({ status }) => status === 'RESERVED').length;
  }
}

it('concurrent requests of strangers reserve no more than the budget', async () => {
  expect(await reserveAll(addressesOfNetworks(200))).toBe(25);
  expect(await readSpent()).toBe(25_000n);
});

it('1,000 strangers hold half of the budget, and customers get the rest', async () => {
  const max = 100_000n;
  const strangers = addressesOfNetworks(1_000);
  expect(await reserveAll(strangers, { max, isPublic: true })).toBe(50);
  // A customer of the merchant's own backend, while the strangers hold half.
  expect(await reserveAll(['203.0.113.1'], { max })).toBe(1);
  await expireAll();
  expect(await readSpent()).toBe(0n);
  // Strangers who have held a reservation get only the first quarter.
  const known = strangers.slice(0, 50);
  const again = await reserveAll([...known, ...known], { max, isPublic: true });
  expect(again).toBe(25);
  // A customer who comes for the first time with the same link is sponsored.
  expect(await reserveAll(['203.0.113.2'], { max, isPublic: true })).toBe(1);
});

it('one stranger reserves little, with any number of requests', async () => {
  const max = 100_000n;
  expect(await reserveAll(Array<string>(200).fill('203.0.113.9'), { max, isPublic: true })).toBe(4);
  await expireAll();
  // While no one else holds the budget, a customer may try again.
  expect(await reserveAll(['203.0.113.9'], { max, isPublic: true })).toBe(1);
});
