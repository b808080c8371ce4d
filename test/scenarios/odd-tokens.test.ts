import type { Address, ReadonlyUint8Array } from '@solana/kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tokenAccountAddress } from '../../src/chain/addresses.ts';
import { readAccounts } from '../../src/chain/read-accounts.ts';
import { type Asset, DAY, PRICE, type Subscriber, startWorld, type World } from './world.ts';

// Token-2022: behind the fields of a token account one byte says what it is; then come extensions: type u16, length u16, value.
const ACCOUNT_TYPE_AT = 165;
const [MINT, TOKEN_ACCOUNT] = [1, 2];
const [TRANSFER_HOOK, MEMO_TRANSFER] = [14, 8];

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

const ACTIVE = { state: 'active', failureCount: 0 };
const PAID_ONCE = ['created', 'payment_succeeded'];
const PAID_TWICE = [...PAID_ONCE, 'payment_succeeded'];

/** A customer who pays in a token of its own, one who pays in USDC, and both are due together. */
async function renewing(): Promise<{ customer: Subscriber; neighbour: Subscriber; asset: Asset }> {
  const asset = await world.newAsset();
  const customer = await world.subscriber(await world.plan({ asset }));
  const neighbour = await world.subscriber(await world.plan());
  await world.quiet();
  expect(await world.tokensOf(customer.wallet.address, asset)).toBe(99n * PRICE);
  world.logged.length = 0;
  return { customer, neighbour, asset };
}

/** Puts an extension behind an account; answers with what takes it away again. */
async function extend(
  at: Address,
  kind: number,
  extension: number,
  value: Uint8Array,
): Promise<() => Promise<void>> {
  const [account] = await readAccounts(world.chain, [at]);
  if (!account) throw new Error(`there is no account ${at}`);
  const put = async (data: ReadonlyUint8Array) => {
    await world.rpc('surfnet_setAccount', [at, { data: Buffer.from(data).toString('hex') }]);
  };
  const plain = Buffer.alloc(ACCOUNT_TYPE_AT);
  plain.set(account.data.slice(0, ACCOUNT_TYPE_AT));
  const head = Buffer.alloc(4);
  head.writeUInt16LE(extension, 0);
  head.writeUInt16LE(value.length, 2);
  await put(Buffer.concat([plain, Buffer.from([kind]), head, value]));
  return () => put(account.data);
}

/** Due, and left alone: an alert, no fee, nobody blamed; and who is due with it has paid. */
async function isSetAside(
  { customer, neighbour, asset }: Awaited<ReturnType<typeof renewing>>,
  alert: object,
): Promise<void> {
  await world.jump(DAY);
  await world.until('the neighbour has paid', () => world.told(neighbour.id).length === 3);
  expect(world.told(neighbour.id)).toEqual(PAID_TWICE);
  await world.until('somebody is told', () => world.logged.length > 0);
  expect(world.logged).toContainEqual(expect.objectContaining(alert));
  expect(await customer.state()).toEqual(ACTIVE);
  expect(world.told(customer.id)).toEqual(PAID_ONCE);
  expect(await world.books(customer.id)).toMatchObject([{ status: 'SUCCEEDED' }, { status: 'DUE' }]);
  expect(await world.tokensOf(customer.wallet.address, asset)).toBe(99n * PRICE);
  const theirs = { attempts: { some: { payment: { subscription: { address: customer.id } } } } };
  expect(await world.ctx.db.transferTransaction.count({ where: { ...theirs, status: 'FAILED' } })).toBe(0);
}

async function isCollected(customer: Subscriber): Promise<void> {
  await world.travel(10 * 60 + 1);
  expect(world.told(customer.id)).toEqual(PAID_TWICE);
  expect(await customer.state()).toEqual(ACTIVE);
}

describe('a plan in a Token-2022 asset', () => {
  it('whose merchant’s token account begins to want a memo is set aside, and collected once it does not', async () => {
    const pair = await renewing();
    const { mint, tokenProgram } = pair.asset;
    const receiver = await tokenAccountAddress(world.merchantWallet.address, mint, tokenProgram);
    const takeAway = await extend(receiver, TOKEN_ACCOUNT, MEMO_TRANSFER, Uint8Array.of(1));
    await isSetAside(pair, {
      msg: 'the payments of a plan cannot be collected',
      plan: pair.customer.plan,
      why: 'receiver_requires_memo',
    });
    await takeAway();
    await isCollected(pair.customer);
  });

  it('whose mint gets a transfer hook is set aside, and collected once it has none', async () => {
    const pair = await renewing();
    const hook = new Uint8Array(64).fill(7);
    const takeAway = await extend(pair.asset.mint, MINT, TRANSFER_HOOK, hook);
    await isSetAside(pair, {
      msg: 'a collection would fail for a reason of our own',
      subscription: pair.customer.id,
    });
    await takeAway();
    await isCollected(pair.customer);
  });

  it('whose merchant’s token account nobody can read is set aside, and collected once it can be read', async () => {
    const pair = await renewing();
    const { mint, tokenProgram } = pair.asset;
    const receiver = await tokenAccountAddress(world.merchantWallet.address, mint, tokenProgram);
    const [account] = await readAccounts(world.chain, [receiver]);
    if (!account) throw new Error('no token account');
    const put = (data: ReadonlyUint8Array) =>
      world.rpc('surfnet_setAccount', [receiver, { data: Buffer.from(data).toString('hex') }]);
    await put(account.data.slice(0, 100));
    await isSetAside(pair, {
      msg: 'the payments of a plan cannot be collected',
      plan: pair.customer.plan,
      why: 'receiver_unreadable',
    });
    await put(account.data);
    await isCollected(pair.customer);
  });
});
