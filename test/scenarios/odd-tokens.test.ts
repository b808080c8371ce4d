import { type Address, generateKeyPairSigner, type ReadonlyUint8Array } from '@solana/kit';
import { getCreateAssociatedTokenIdempotentInstruction } from '@solana-program/token';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tokenAccountAddress } from '../../src/chain/accounts/addresses.ts';
import { readAccounts } from '../../src/chain/accounts/read-accounts.ts';
import { type Asset, DAY, PRICE, type Subscriber, startWorld, type World } from './world.ts';

// Token-2022: after the fields of a token account, one byte names the kind; then extensions follow:
// type u16, length u16, value.
const ACCOUNT_TYPE_AT = 165;
const [MINT, TOKEN_ACCOUNT] = [1, 2];
const [TRANSFER_HOOK, MEMO_TRANSFER, PAUSE] = [14, 8, 26];
const [TRANSFER_FEE, CLOSE_AUTHORITY, CONFIDENTIAL_TRANSFERS, PERMANENT_DELEGATE] = [1, 3, 4, 12];
const MINT_BYTES = 82;

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

const ACTIVE = { state: 'active', failureCount: 0 };
const PAID_ONCE = ['created', 'payment_succeeded'];
const PAID_TWICE = [...PAID_ONCE, 'payment_succeeded'];

/** A customer who pays in another token and one who pays in USDC, both due together. */
async function renewing(): Promise<{ customer: Subscriber; neighbour: Subscriber; asset: Asset }> {
  const asset = await world.newAsset();
  const customer = await world.subscriber(await world.plan({ asset }));
  const neighbour = await world.subscriber(await world.plan());
  await world.quiet();
  expect(await world.tokensOf(customer.wallet.address, asset)).toBe(99n * PRICE);
  world.logged.length = 0;
  return { customer, neighbour, asset };
}

/** Appends an extension to an account; returns a function that removes it. */
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

/** Due but set aside: an alert, no fee, no failure; and others that are due have paid. */
async function isSetAside(
  { customer, neighbour, asset }: Awaited<ReturnType<typeof renewing>>,
  alert: object,
): Promise<void> {
  await world.jump(DAY);
  await world.until('the neighbour has paid', () => world.receivedEvents(neighbour.id).length === 3);
  expect(world.receivedEvents(neighbour.id)).toEqual(PAID_TWICE);
  await world.until('a problem is logged', () => world.logged.length > 0);
  expect(world.logged).toContainEqual(expect.objectContaining(alert));
  expect(await customer.state()).toEqual(ACTIVE);
  expect(world.receivedEvents(customer.id)).toEqual(PAID_ONCE);
  expect(await world.books(customer.id)).toMatchObject([{ status: 'SUCCEEDED' }, { status: 'DUE' }]);
  expect(await world.tokensOf(customer.wallet.address, asset)).toBe(99n * PRICE);
  const theirs = { attempts: { some: { payment: { subscription: { address: customer.id } } } } };
  expect(await world.ctx.db.transferTransaction.count({ where: { ...theirs, status: 'FAILED' } })).toBe(0);
}

async function isCollected(customer: Subscriber): Promise<void> {
  await world.travel(10 * 60 + 1);
  expect(world.receivedEvents(customer.id)).toEqual(PAID_TWICE);
  expect(await customer.state()).toEqual(ACTIVE);
}

/**
 * Like PayPal's dollar: closable, with a permanent delegate, a hook without a program and a fee of
 * zero.
 */
function likePyusd(): Uint8Array {
  const boss = new Uint8Array(32).fill(9);
  const extensions: [number, Uint8Array][] = [
    [TRANSFER_FEE, Buffer.concat([boss, boss, new Uint8Array(44)])],
    [CLOSE_AUTHORITY, boss],
    [CONFIDENTIAL_TRANSFERS, new Uint8Array(65)],
    [PERMANENT_DELEGATE, boss],
    [TRANSFER_HOOK, Buffer.concat([boss, new Uint8Array(32)])],
    [PAUSE, Buffer.concat([boss, Uint8Array.of(0)])],
  ];
  const values = extensions.flatMap(([type, value]) => [
    Buffer.from(Uint16Array.of(type, value.length).buffer),
    value,
  ]);
  return Buffer.concat([new Uint8Array(ACCOUNT_TYPE_AT - MINT_BYTES), Uint8Array.of(MINT), ...values]);
}

describe('a plan in a Token-2022 asset', () => {
  it('that is made like PayPal’s dollar is published, subscribed to and collected from', async () => {
    const asset = await world.newAsset(likePyusd());
    const { mint, tokenProgram } = asset;
    const customer = await generateKeyPairSigner();
    world.fund(customer.address);
    // The token program creates the account, with the extensions that the mint requires.
    const ata = await tokenAccountAddress(customer.address, mint, tokenProgram);
    await world.land(customer, [
      getCreateAssociatedTokenIdempotentInstruction({
        payer: customer,
        ata,
        owner: customer.address,
        mint,
        tokenProgram,
      }),
    ]);
    await world.rpc('surfnet_setTokenAccount', [
      ...[customer.address, mint, { amount: String(3n * PRICE) }, tokenProgram],
    ]);
    const { id } = await world.subscriber(await world.plan({ asset }), { wallet: customer });
    await world.quiet();
    expect(world.receivedEvents(id)).toEqual(PAID_ONCE);
    await world.travel(DAY);
    expect(world.receivedEvents(id)).toEqual(PAID_TWICE);
    expect(await world.tokensOf(customer.address, asset)).toBe(PRICE);
    expect(await world.tokensOf(world.merchantWallet.address, asset)).toBe(2n * PRICE);
  });

  it('whose mint is paused is set aside, and collected once it is not', async () => {
    const pair = await renewing();
    const paused = Buffer.concat([new Uint8Array(32).fill(9), Uint8Array.of(1)]);
    const takeAway = await extend(pair.asset.mint, MINT, PAUSE, paused);
    await isSetAside(pair, {
      msg: 'pull would fail for a reason that is not the payer’s',
      subscription: pair.customer.id,
    });
    await takeAway();
    await isCollected(pair.customer);
  });

  it('whose merchant’s token account begins to require a memo is set aside, and collected once it does not', async () => {
    const pair = await renewing();
    const { mint, tokenProgram } = pair.asset;
    const receiver = await tokenAccountAddress(world.merchantWallet.address, mint, tokenProgram);
    const takeAway = await extend(receiver, TOKEN_ACCOUNT, MEMO_TRANSFER, Uint8Array.of(1));
    await isSetAside(pair, {
      msg: 'payments of a plan cannot be collected',
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
      msg: 'pull would fail for a reason that is not the payer’s',
      subscription: pair.customer.id,
    });
    await takeAway();
    await isCollected(pair.customer);
  });

  it('whose mint begins to take a fee is set aside, shown to its merchant, and collected once it takes none', async () => {
    const pair = await renewing();
    const fee = Buffer.alloc(108);
    // From the first epoch on: at most PRICE, one percent.
    fee.writeBigUInt64LE(PRICE, 98);
    fee.writeUInt16LE(100, 106);
    const takeAway = await extend(pair.asset.mint, MINT, TRANSFER_FEE, fee);
    await isSetAside(pair, {
      msg: 'payments of a plan cannot be collected',
      plan: pair.customer.plan,
      why: 'mint_takes_fee',
    });
    const problem = async () => {
      const where = { address: pair.customer.plan };
      return (await world.ctx.db.plan.findFirstOrThrow({ where })).problem;
    };
    expect(await problem()).toBe('MINT_TAKES_FEE');
    await takeAway();
    await isCollected(pair.customer);
    expect(await problem()).toBeNull();
  });

  it('whose merchant’s token account cannot be read is set aside, and collected once it can be read', async () => {
    const pair = await renewing();
    const { mint, tokenProgram } = pair.asset;
    const receiver = await tokenAccountAddress(world.merchantWallet.address, mint, tokenProgram);
    const [account] = await readAccounts(world.chain, [receiver]);
    if (!account) throw new Error('no token account');
    const put = (data: ReadonlyUint8Array) =>
      world.rpc('surfnet_setAccount', [receiver, { data: Buffer.from(data).toString('hex') }]);
    await put(account.data.slice(0, 100));
    await isSetAside(pair, {
      msg: 'payments of a plan cannot be collected',
      plan: pair.customer.plan,
      why: 'receiver_unreadable',
    });
    await put(account.data);
    await isCollected(pair.customer);
  });
});
