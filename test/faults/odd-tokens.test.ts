import { type Address, generateKeyPairSigner, type ReadonlyUint8Array } from '@solana/kit';
import { getCreateAssociatedTokenIdempotentInstruction } from '@solana-program/token';
import { describe, expect, it } from 'vitest';
import { tokenAccountAddress } from '../../src/chain/accounts/addresses.ts';
import { readAccounts } from '../../src/chain/accounts/read-accounts.ts';
import { receivingAddresses } from '../../src/chain/accounts/receiving-accounts.ts';
import { walletTransaction } from '../../src/domain/billing/read/wallet-transaction.ts';
import { startSmtpReceiver } from '../../tools/smtp-receiver.ts';
import { type Asset, DAY, PRICE, type Subscriber, startWorld } from '../scenarios/world.ts';
import { sharedByFile } from '../support/shared-by-file.ts';

// Layout of a Token-2022 account: the fields of a token account, one byte for the account type, and
// the extensions, each of which has a type (u16), a length (u16) and a value.
const ACCOUNT_TYPE_AT = 165;
const [MINT, TOKEN_ACCOUNT] = [1, 2];
const [TRANSFER_HOOK, MEMO_TRANSFER, PAUSE] = [14, 8, 26];
const [CONFIDENTIAL_ACCOUNT, DEFAULT_STATE, CPI_GUARD] = [5, 6, 11];
const [TRANSFER_FEE, CLOSE_AUTHORITY, CONFIDENTIAL_TRANSFERS, PERMANENT_DELEGATE] = [1, 3, 4, 12];
const MINT_BYTES = 82;
const ISSUER = new Uint8Array(32).fill(9);
const SYSTEM_PROGRAM = '11111111111111111111111111111111';
/** Problems that processes of 0.2.0 can read. */
const KNOWN_TO_0_2_0 = ['MINT_TAKES_FEE', 'RECEIVER_REQUIRES_MEMO'];

const smtp = await sharedByFile(startSmtpReceiver());
const world = await sharedByFile(startWorld({ mail: smtp.config }));

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

/** An extension that is added to an account after the first payment. */
interface Change {
  /** The logged reason. */
  readonly why: string;
  readonly type: number;
  readonly value: Uint8Array;
  /** Whether the merchant's token account gets it; otherwise the mint. */
  readonly ofReceiver?: true;
}

const authorityAnd = (value: Uint8Array) => Buffer.concat([ISSUER, value]);

/** A transfer fee of one percent, at most PRICE, from an epoch on. */
function nextFee(epoch: bigint): Uint8Array {
  const fee = Buffer.alloc(108);
  fee.writeBigUInt64LE(epoch, 90);
  fee.writeBigUInt64LE(PRICE, 98);
  fee.writeUInt16LE(100, 106);
  return fee;
}

const problemsOf = (address: string) =>
  world.ctx.db.plan.findFirstOrThrow({
    where: { address },
    select: { currentProblem: true, problem: true },
  });

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
  const issuer = ISSUER;
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
    const planId = await world.plan({ asset });
    const { sessionId } = await world.checkout(planId, { wallet: customer });
    const page = await (await fetch(`${world.apiUrl}/checkout/${sessionId}`)).text();
    for (const power of ['take or destroy the tokens', 'stop all its transfers', 'end the token'])
      expect(page).toContain(`The issuer of the token can ${power}`);
    expect(page).not.toContain('The issuer of the token can freeze');
    const { id } = await world.subscriber(planId, { wallet: customer });
    await world.quiet();
    expect(world.receivedEvents(id)).toEqual(PAID_ONCE);
    await world.travel(DAY);
    expect(world.receivedEvents(id)).toEqual(PAID_TWICE);
    expect(await world.tokensOf(customer.address, asset)).toBe(PRICE);
    expect(await world.tokensOf(world.merchantWallet.address, asset)).toBe(2n * PRICE);

    // A further account of the merchant has the extensions that the mint requires, too.
    const addresses = await receivingAddresses({ owner: world.merchantWallet.address, ...asset }, 2);
    await world.graphql(
      'mutation ($mint: String!) { setReceivingAccounts(mint: $mint, count: 2) { count } }',
      { mint },
    );
    const { receivingAccountsTransaction } = await world.graphql<{
      receivingAccountsTransaction: { transaction: string };
    }>('mutation ($mint: String!) { receivingAccountsTransaction(mint: $mint) { transaction } }', { mint });
    await world.sign(world.merchantWallet, receivingAccountsTransaction.transaction);
    const [associated, further] = await readAccounts(world.chain, addresses, 'extensions');
    expect(further?.data.length).toBe(associated?.data.length);
    await setFrozen(addresses[0] as Address, true);
    await world.travel(DAY);
    expect(await world.tokensOf(customer.address, asset)).toBe(0n);
    await setFrozen(addresses[0] as Address, false);
  });

  /** Freezes a token account, or thaws it. Resolves when it is confirmed. */
  async function setFrozen(account: Address, isFrozen: boolean): Promise<void> {
    const [read] = await readAccounts(world.chain, [account], 'extensions');
    const data = Uint8Array.from(read?.data ?? []);
    const state = isFrozen ? 2 : 1;
    data[108] = state;
    await world.rpc('surfnet_setAccount', [account, { data: Buffer.from(data).toString('hex') }]);
    await world.until('it is confirmed', async () => {
      const [now] = await readAccounts(world.chain, [account], 'extensions');
      return now?.data[108] === state;
    });
  }

  it.each<[string, Change]>([
    ['whose mint is paused', { why: 'mint_paused', type: PAUSE, value: authorityAnd(Uint8Array.of(1)) }],
    [
      'whose mint gets a transfer hook',
      { why: 'mint_has_hook', type: TRANSFER_HOOK, value: authorityAnd(ISSUER) },
    ],
    // From the first epoch on: one percent, at most PRICE.
    ['whose mint takes a fee', { why: 'mint_takes_fee', type: TRANSFER_FEE, value: nextFee(0n) }],
    [
      'whose merchant’s account requires a memo',
      { why: 'receiver_requires_memo', type: MEMO_TRANSFER, value: Uint8Array.of(1), ofReceiver: true },
    ],
    [
      'whose merchant’s account takes confidential transfers only',
      {
        why: 'receiver_confidential',
        type: CONFIDENTIAL_ACCOUNT,
        value: new Uint8Array(295),
        ofReceiver: true,
      },
    ],
  ])('%s is set aside, and collected once that is over', async (_, { why, type, value, ofReceiver }) => {
    const subscribed = await subscribeTwo();
    const { mint, tokenProgram } = subscribed.asset;
    const restore = await (ofReceiver
      ? extend(
          await tokenAccountAddress(world.merchantWallet.address, mint, tokenProgram),
          TOKEN_ACCOUNT,
          type,
          value,
        )
      : extend(mint, MINT, type, value));
    const { plan } = subscribed.customer;
    await expectSetAside(subscribed, { msg: 'payments of a plan cannot be collected', plan, why });
    expect((await problemsOf(plan)).currentProblem).toBe(why.toUpperCase());
    expect(KNOWN_TO_0_2_0).toContain((await problemsOf(plan)).problem);
    await restore();
    await expectCollected(subscribed.customer);
    expect(await problemsOf(plan)).toEqual({ currentProblem: null, problem: null });
  });

  it('whose mint has a fee in a later epoch is collected, and its merchant mailed once', async () => {
    const subscribed = await subscribeTwo();
    const mailSettings = { templates: ['FEE_SCHEDULED'], merchantEmail: 'merchant@example.com' };
    await world.ctx.db.mailSettings.upsert({
      where: { merchantId_environment: world.scope },
      create: { ...world.scope, ...mailSettings },
      update: mailSettings,
    });
    await extend(subscribed.asset.mint, MINT, TRANSFER_FEE, nextFee(1_000_000n));
    for (const events of [PAID_TWICE, [...PAID_TWICE, 'payment_succeeded']]) {
      await world.travel(DAY);
      expect(world.receivedEvents(subscribed.customer.id)).toEqual(events);
    }
    const findMails = () => world.ctx.db.mail.findMany({ where: { template: 'FEE_SCHEDULED' } });
    await world.until('the mail is sent', async () => (await findMails())[0]?.status === 'SENT');
    const mails = await findMails();
    expect(mails).toMatchObject([
      { recipient: 'merchant@example.com', content: { basisPoints: 100, fromEpoch: '1000000' } },
    ]);
    expect((await problemsOf(subscribed.customer.plan)).currentProblem).toBeNull();
  });

  it('whose new accounts are frozen gets no account for the merchant', async () => {
    const subscribed = await subscribeTwo();
    const { asset, customer } = subscribed;
    const owner = world.merchantWallet.address;
    await extend(asset.mint, MINT, DEFAULT_STATE, Uint8Array.of(2));
    const receiver = await tokenAccountAddress(owner, asset.mint, asset.tokenProgram);
    const isMissing = async () => (await readAccounts(world.chain, [receiver], 'fields'))[0] === undefined;
    await world.rpc('surfnet_setAccount', [receiver, { lamports: 0, data: '', owner: SYSTEM_PROGRAM }]);
    await world.until('the account is closed', isMissing);
    const { config } = world.chain;
    const { defaultMint } = config;
    // Even if it is the default token, for whose accounts dues pays.
    Object.assign(config, { defaultMint: asset.mint });
    try {
      const why = 'receiver_missing';
      await expectSetAside(subscribed, {
        msg: 'payments of a plan cannot be collected',
        plan: customer.plan,
        why,
      });
      expect(await isMissing()).toBe(true);
    } finally {
      Object.assign(config, { defaultMint });
    }
  });

  it('refuses a wallet with the CPI guard at the checkout, and says what to do', async () => {
    const asset = await world.newAsset();
    const { subscriber, approve } = await world.checkout(await world.plan({ asset }));
    const wallet = subscriber.wallet.address;
    const account = await tokenAccountAddress(wallet, asset.mint, asset.tokenProgram);
    const restore = await extend(account, TOKEN_ACCOUNT, CPI_GUARD, Uint8Array.of(1));
    await expect(approve()).rejects.toThrow('Switch off CPI guard in the wallet');
    await restore();
    await approve();
  });

  it('refuses the repair of an approval with the CPI guard, and says what to do', async () => {
    const { customer, asset } = await subscribeTwo();
    const account = await tokenAccountAddress(customer.wallet.address, asset.mint, asset.tokenProgram);
    const restore = await extend(account, TOKEN_ACCOUNT, CPI_GUARD, Uint8Array.of(1));
    const repair = () => walletTransaction(world.ctx, customer.id, 'repair_approval');
    await expect(repair()).rejects.toThrow('Switch off CPI guard in the wallet');
    await restore();
    await world.sign(customer.wallet, await repair());
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
