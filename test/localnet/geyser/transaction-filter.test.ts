import type { Address } from '@solana/kit';
import { getTransferInstruction } from '@solana-program/token';
import { txErrDecode } from '@triton-one/yellowstone-grpc';
import { expect, test } from 'vitest';
import { type Request, startGeyser, subscribe } from './client.ts';
import {
  accountOf,
  buildTransaction,
  keyBytes,
  newAddress,
  newWallet,
  pay,
  tokenAccountData,
  transfer,
} from './transactions.ts';

const SYSTEM = '11111111111111111111111111111111' as Address;
const TOKEN_PROGRAM = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA' as Address;
type TransactionFilters = NonNullable<Request['transactions']>;

test('each transaction filter passes exactly what matches all its conditions', async () => {
  const { network, url } = await startGeyser();
  const [alice, bob] = [await newWallet(network), await newWallet(network)];
  const [shop, other] = [await newAddress(), await newAddress()];
  const selected = await buildTransaction(network, alice, [transfer(alice, shop, 5_000_000n)]);
  const transactions: TransactionFilters = {
    all: {},
    votes: { vote: true },
    noVotes: { vote: false },
    failed: { failed: true },
    landed: { failed: false },
    signature: { signature: selected.signatures[0] as string },
    anyOf: { accountInclude: [shop, other] },
    allOf: { accountRequired: [alice.address, shop] },
    withoutBob: { accountExclude: [bob.address] },
    mixed: {
      accountInclude: [SYSTEM],
      accountRequired: [shop],
      accountExclude: [bob.address],
      failed: false,
    },
  };
  const stream = await subscribe(url, { transactions });
  network.submit(selected);
  await pay(network, bob, shop, 5_000_000n);
  await pay(network, alice, shop, 10n ** 18n); // more than Alice has

  expect((await stream.settled()).map(({ filters }) => filters)).toEqual([
    ['all', 'allOf', 'anyOf', 'landed', 'mixed', 'noVotes', 'signature', 'withoutBob'],
    ['all', 'anyOf', 'landed', 'noVotes'],
    ['all', 'allOf', 'anyOf', 'failed', 'noVotes', 'withoutBob'],
  ]);
});

test('a transaction is sent between its accounts and those of the next one', async () => {
  const { network, url } = await startGeyser();
  const alice = await newWallet(network);
  const stream = await subscribe(url, {
    accounts: { accounts: { nonemptyTxnSignature: true } },
    transactions: { transactions: {} },
  });
  await pay(network, alice, await newAddress());
  await pay(network, alice, await newAddress());
  const kinds = (await stream.settled()).map(({ filters, transaction }) => [
    filters[0],
    transaction?.transaction?.index,
  ]);
  expect(kinds).toEqual([
    ['accounts', undefined],
    ['accounts', undefined],
    ['transactions', '0'],
    ['accounts', undefined],
    ['accounts', undefined],
    ['transactions', '1'],
  ]);
});

test('a status has slot, position, signature and error, and is sent in addition', async () => {
  const { network, url } = await startGeyser();
  const alice = await newWallet(network);
  const stream = await subscribe(url, {
    transactions: { whole: { failed: true } },
    transactionsStatus: { all: {}, alice: { accountInclude: [alice.address] } },
  });
  const first = await pay(network, alice, await newAddress());
  const second = await pay(network, alice, await newAddress(), 10n ** 18n);

  const [landed, whole, failed] = await stream.settled();
  const slot = String(network.slot('processed'));
  expect(landed).toMatchObject({
    filters: ['alice', 'all'],
    transactionStatus: { slot, index: '0', isVote: false, err: undefined },
  });
  expect(Buffer.from(landed?.transactionStatus?.signature ?? [])).toEqual(Buffer.from(keyBytes(first)));
  expect(whole?.filters).toEqual(['whole']);
  expect(failed).toMatchObject({ filters: ['alice', 'all'], transactionStatus: { slot, index: '1' } });
  expect(Buffer.from(failed?.transactionStatus?.signature ?? [])).toEqual(Buffer.from(keyBytes(second)));
  expect(txErrDecode.decode(failed?.transactionStatus?.err?.err ?? new Uint8Array())).toEqual({
    InstructionError: [0, { Custom: 1 }],
  });
});

test('a failed transaction writes only its payer and keeps its fee, logs and balances', async () => {
  const { network, url } = await startGeyser();
  const alice = await newWallet(network);
  const stream = await subscribe(url, { accounts: { all: {} }, transactions: { all: {} } });
  await pay(network, alice, await newAddress(), 10n ** 18n);

  const [account, failed, ...rest] = await stream.settled();
  expect(rest).toEqual([]);
  expect(Buffer.from(account?.account?.account?.pubkey ?? [])).toEqual(Buffer.from(keyBytes(alice.address)));
  const meta = failed?.transaction?.transaction?.meta;
  expect(txErrDecode.decode(meta?.err?.err ?? new Uint8Array())).toEqual({
    InstructionError: [0, { Custom: 1 }],
  });
  expect(meta).toMatchObject({
    fee: '5000',
    preBalances: ['10000000000', '0', '1'],
    postBalances: ['9999995000', '0', '1'],
    innerInstructions: [],
    innerInstructionsNone: false,
    logMessagesNone: false,
    returnDataNone: true,
  });
  expect(meta?.logMessages.join('\n')).toContain('insufficient lamports');
});

test('token account owners count as accounts if the filter requests it', async () => {
  const { network, url } = await startGeyser();
  const alice = await newWallet(network);
  const [mint, bob, idle, from, to, untouched] = await Promise.all([1, 2, 3, 4, 5, 6].map(newAddress));
  if (!mint || !bob || !idle || !from || !to || !untouched) throw new Error('expected six addresses');
  const rent = network.rentExemptMinimum(165);
  const setTokens = (address: Address, owner: Address, amount: bigint) =>
    network.setAccount(
      address,
      accountOf({ lamports: rent, owner: TOKEN_PROGRAM, data: tokenAccountData(mint, owner, amount) }),
    );
  setTokens(from, alice.address, 1_500_000n);
  setTokens(to, bob, 0n);
  setTokens(untouched, idle, 7n);
  const mintData = new Uint8Array(82);
  mintData[44] = 6;
  mintData[45] = 1;
  network.setAccount(mint, accountOf({ lamports: rent, owner: TOKEN_PROGRAM, data: mintData }));

  const stream = await subscribe(url, {
    transactions: {
      plain: { accountInclude: [bob] },
      owner: { accountInclude: [bob], tokenAccounts: 0 },
      ownerOfChanged: { accountInclude: [bob], tokenAccounts: 1 },
      idleOwner: { accountInclude: [idle], tokenAccounts: 0 },
      idleOwnerOfChanged: { accountInclude: [idle], tokenAccounts: 1 },
      notBob: { accountExclude: [bob], tokenAccounts: 0 },
      mustBeBob: { accountRequired: [bob], tokenAccounts: 1 },
    },
  });
  const pull = (source: Address, destination: Address, amount: bigint) =>
    getTransferInstruction({ source, destination, authority: alice, amount });
  network.submit(
    await buildTransaction(network, alice, [pull(from, to, 250_000n), pull(from, untouched, 0n)]),
  );

  const [update] = await stream.settled();
  expect(update?.filters).toEqual(['idleOwner', 'mustBeBob', 'owner', 'ownerOfChanged']);
  const meta = update?.transaction?.transaction?.meta;
  const amounts = (balances = meta?.preTokenBalances) =>
    balances?.map(({ owner, uiTokenAmount }) => [owner, uiTokenAmount?.uiAmountString]);
  expect(amounts()).toEqual(
    expect.arrayContaining([
      [alice.address, '1.5'],
      [bob, '0'],
      [idle, '0.000007'],
    ]),
  );
  expect(meta?.postTokenBalances).toEqual(
    expect.arrayContaining([
      expect.objectContaining({
        owner: bob,
        mint,
        programId: TOKEN_PROGRAM,
        uiTokenAmount: { uiAmount: 0.25, decimals: 6, amount: '250000', uiAmountString: '0.25' },
      }),
    ]),
  );
});
