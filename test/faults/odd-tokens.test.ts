import { type Address, generateKeyPairSigner, type ReadonlyUint8Array } from '@solana/kit';
import { getCreateAssociatedTokenIdempotentInstruction } from '@solana-program/token';
import { describe, expect, it } from 'vitest';
import { tokenAccountAddress } from '../../src/chain/accounts/addresses.ts';
import { readAccounts } from '../../src/chain/accounts/read-accounts.ts';
import { type Asset, DAY, PRICE, type Subscriber, startWorld } from '../scenarios/world.ts';
import { sharedByFile } from '../support/shared-by-file.ts';

// Layout of a Token-2022 account: the fields of a token account, one byte for the account type, and
// the extensions, each of which has a type (u16), a length (u16) and a value.
const ACCOUNT_TYPE_AT = 165;
const [MINT, TOKEN_ACCOUNT] = [1, 2];
const [TRANSFER_HOOK, MEMO_TRANSFER, PAUSE] = [14, 8, 26];
const [TRANSFER_FEE, CLOSE_AUTHORITY, CONFIDENTIAL_TRANSFERS, PERMANENT_DELEGATE] = [1, 3, 4, 12];
const MINT_BYTES = 82;

const world = await sharedByFile(startWorld());

const ACTIVE = { state: 'active', failureCount: 0 };
const PAID_ONCE = ['created', 'payment_succeeded'];
const PAID_TWICE = [...PAID_ONCE, 'payment_succeeded'];

/** Subscribes a customer who pays in another token and one who pays in USDC, both due together. */
async function subscribeTwo(): Promise<{ customer: Subscriber; neighbour: Subscriber; asset: Asset }> {
  const asset = await world.newAsset();
  const customer = await world.subscriber(await world.plan({ asset }));
  const neighbour = await world.subscriber(await world.plan());
  await world.quiet();
  expect(await world.tokensOf(customer.wallet.address, asset)).toBe(99n * PRICE);
  world.logged.length = 0;
  return { customer, neighbour, asset };
}

/** Appends an extension to an account; returns a function that restores the account. */
async function extend(
  target: Address,
  accountType: number,
  extension: number,
  value: Uint8Array,
): Promise<() => Promise<void>> {
  const [account] = await readAccounts(world.chain, [target], 'extensions');
  if (!account) throw new Error(`there is no account ${target}`);
  const writeData = async (data: ReadonlyUint8Array) => {
    await world.rpc('surfnet_setAccount', [target, { data: Buffer.from(data).toString('hex') }]);
  };
  const fields = Buffer.alloc(ACCOUNT_TYPE_AT);
  fields.set(account.data.slice(0, ACCOUNT_TYPE_AT));
  const header = Buffer.alloc(4);
  header.writeUInt16LE(extension, 0);
  header.writeUInt16LE(value.length, 2);
  await writeData(Buffer.concat([fields, Buffer.from([accountType]), header, value]));
  return () => writeData(account.data);
}

/** Expects that the due payment is set aside: an alert, no fee, no failure. The neighbour pays. */
async function expectSetAside(
  { customer, neighbour, asset }: Awaited<ReturnType<typeof subscribeTwo>>,
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
  const attempts = { some: { payment: { subscription: { address: customer.id } } } };
  expect(await world.ctx.db.transferTransaction.count({ where: { attempts, status: 'FAILED' } })).toBe(0);
}

async function expectCollected(customer: Subscriber): Promise<void> {
  await world.travel(10 * 60 + 1);
  expect(world.receivedEvents(customer.id)).toEqual(PAID_TWICE);
  expect(await customer.state()).toEqual(ACTIVE);
}

/**
 * The part of a mint after its plain fields, with extensions like those of PayPal's dollar: it can
 * be closed and paused, and has a permanent delegate, a hook without a program and a fee of zero.
 */
function pyusdExtensions(): Uint8Array {
  const issuer = new Uint8Array(32).fill(9);
  const extensions: [number, Uint8Array][] = [
    [TRANSFER_FEE, Buffer.concat([issuer, issuer, new Uint8Array(44)])],
    [CLOSE_AUTHORITY, issuer],
    [CONFIDENTIAL_TRANSFERS, new Uint8Array(65)],
    [PERMANENT_DELEGATE, issuer],
    [TRANSFER_HOOK, Buffer.concat([issuer, new Uint8Array(32)])],
    [PAUSE, Buffer.concat([issuer, Uint8Array.of(0)])],
  ];
  const values = extensions.flatMap(([type, value]) => [
    Buffer.from(Uint16Array.of(type, value.length).buffer),
    value,
  ]);
  return Buffer.concat([new Uint8Array(ACCOUNT_TYPE_AT - MINT_BYTES), Uint8Array.of(MINT), ...values]);
}

describe('a plan in a Token-2022 asset', () => {
  it('with the extensions of PayPal’s dollar is collected', async () => {
    const asset = await world.newAsset(pyusdExtensions());
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
    const subscribed = await subscribeTwo();
    const paused = Buffer.concat([new Uint8Array(32).fill(9), Uint8Array.of(1)]);
    const restore = await extend(subscribed.asset.mint, MINT, PAUSE, paused);
    await expectSetAside(subscribed, {
      msg: 'pull would fail for a reason that is not the payer’s',
      subscription: subscribed.customer.id,
    });
    await restore();
    await expectCollected(subscribed.customer);
  });

  it('whose merchant’s account requires a memo is set aside until it does not', async () => {
    const subscribed = await subscribeTwo();
    const { mint, tokenProgram } = subscribed.asset;
    const receiver = await tokenAccountAddress(world.merchantWallet.address, mint, tokenProgram);
    const restore = await extend(receiver, TOKEN_ACCOUNT, MEMO_TRANSFER, Uint8Array.of(1));
    await expectSetAside(subscribed, {
      msg: 'payments of a plan cannot be collected',
      plan: subscribed.customer.plan,
      why: 'receiver_requires_memo',
    });
    await restore();
    await expectCollected(subscribed.customer);
  });

  it('whose mint gets a transfer hook is set aside, and collected once it has none', async () => {
    const subscribed = await subscribeTwo();
    const hook = new Uint8Array(64).fill(7);
    const restore = await extend(subscribed.asset.mint, MINT, TRANSFER_HOOK, hook);
    await expectSetAside(subscribed, {
      msg: 'pull would fail for a reason that is not the payer’s',
      subscription: subscribed.customer.id,
    });
    await restore();
    await expectCollected(subscribed.customer);
  });

  it('whose mint takes a fee is set aside until it takes none', async () => {
    const subscribed = await subscribeTwo();
    const fee = Buffer.alloc(108);
    // From the first epoch on: one percent, at most PRICE.
    fee.writeBigUInt64LE(PRICE, 98);
    fee.writeUInt16LE(100, 106);
    const restore = await extend(subscribed.asset.mint, MINT, TRANSFER_FEE, fee);
    await expectSetAside(subscribed, {
      msg: 'payments of a plan cannot be collected',
      plan: subscribed.customer.plan,
      why: 'mint_takes_fee',
    });
    const problem = async () => {
      const where = { address: subscribed.customer.plan };
      return (await world.ctx.db.plan.findFirstOrThrow({ where })).problem;
    };
    expect(await problem()).toBe('MINT_TAKES_FEE');
    await restore();
    await expectCollected(subscribed.customer);
    expect(await problem()).toBeNull();
  });

  it('whose merchant’s account cannot be read is set aside until it can', async () => {
    const subscribed = await subscribeTwo();
    const { mint, tokenProgram } = subscribed.asset;
    const receiver = await tokenAccountAddress(world.merchantWallet.address, mint, tokenProgram);
    const [account] = await readAccounts(world.chain, [receiver], 'extensions');
    if (!account) throw new Error('no token account');
    const writeData = (data: ReadonlyUint8Array) =>
      world.rpc('surfnet_setAccount', [receiver, { data: Buffer.from(data).toString('hex') }]);
    await writeData(account.data.slice(0, 100));
    await expectSetAside(subscribed, {
      msg: 'payments of a plan cannot be collected',
      plan: subscribed.customer.plan,
      why: 'receiver_unreadable',
    });
    await writeData(account.data);
    await expectCollected(subscribed.customer);
  });
});
