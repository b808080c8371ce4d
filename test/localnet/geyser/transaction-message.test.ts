import { getBase64Encoder } from '@solana/kit';
import { type SubscribeUpdateTransactionInfo, txEncode } from '@triton-one/yellowstone-grpc';
import { expect, test } from 'vitest';
import { startGeyser, subscribe } from './client.ts';
import { accountOf, buildTransaction, keyBytes, newAddress, newWallet, transfer } from './transactions.ts';

const JSON_ENCODING = 3;
const BASE64_ENCODING = 1;

function encodeInfo(info: SubscribeUpdateTransactionInfo | undefined, encoding: number) {
  if (!info) throw new Error('no transaction was received');
  return txEncode.encode(info, encoding, 1, false) as unknown as {
    transaction: {
      message: { accountKeys: string[]; instructions: object[] };
      signatures: string[];
    } & string[];
    meta: { err: unknown; fee: number; loadedAddresses: object };
    version: string | number;
  };
}

test.each(['legacy', 0, 1] as const)(
  'the client encodes a version %s transaction as it was sent',
  async (version) => {
    const { network, url } = await startGeyser();
    const wallet = await newWallet(network);
    const receiver = await newAddress();
    const sent = await buildTransaction(network, wallet, [transfer(wallet, receiver, 2_000_000n)], {
      version,
    });
    const stream = await subscribe(url, { transactions: { all: {} } });
    network.submit(sent);

    const info = (await stream.settled())[0]?.transaction?.transaction;
    expect(info?.transaction?.message).toMatchObject({ versioned: version !== 'legacy' });
    const json = encodeInfo(info, JSON_ENCODING);
    expect(json.version).toBe(version);
    expect(json.transaction.signatures).toEqual(sent.signatures);
    expect(json.transaction.message).toMatchObject({
      accountKeys: sent.staticKeys,
      recentBlockhash: sent.blockhash,
      header: { numRequiredSignatures: 1, numReadonlySignedAccounts: 0, numReadonlyUnsignedAccounts: 1 },
    });
    expect(json.meta).toMatchObject({
      err: null,
      fee: 5_000,
      preBalances: [10_000_000_000, 0, 1],
      postBalances: [9_997_995_000, 2_000_000, 1],
      computeUnitsConsumed: 150,
    });
    const [base64] = encodeInfo(info, BASE64_ENCODING).transaction;
    expect(Buffer.from(getBase64Encoder().encode(base64 as string))).toEqual(Buffer.from(sent.wire));
  },
);

test('a version 1 transaction has its limits in the message', async () => {
  const { network, url } = await startGeyser();
  const wallet = await newWallet(network);
  const transfers = [transfer(wallet, await newAddress(), 2_000_000n)];
  const stream = await subscribe(url, { transactions: { all: {} } });
  network.submit(await buildTransaction(network, wallet, transfers, { version: 1 }));

  const info = (await stream.settled())[0]?.transaction?.transaction;
  expect(info?.transaction?.message).toMatchObject({
    versioned: true,
    addressTableLookups: [],
    config: {
      priorityFee: undefined,
      computeUnitLimit: 50_000,
      loadedAccountsDataSizeLimit: 1_000_000,
      heapSize: undefined,
    },
  });
});

test('addresses from a lookup table are sent, and filters match them', async () => {
  const { network, url } = await startGeyser();
  const wallet = await newWallet(network);
  const [table, receiver] = [await newAddress(), await newAddress()];
  const data = Buffer.alloc(56 + 32);
  data.writeUInt32LE(1, 0);
  data.writeBigUInt64LE(2n ** 64n - 1n, 4);
  data.set(keyBytes(receiver), 56);
  network.setAccount(
    table,
    accountOf({ owner: 'AddressLookupTab1e1111111111111111111111111' as typeof table, data }),
  );
  network.tick();
  const sent = await buildTransaction(network, wallet, [transfer(wallet, receiver, 2_000_000n)], {
    lookupTable: { address: table, addresses: [receiver] },
  });
  const stream = await subscribe(url, { transactions: { toReceiver: { accountInclude: [receiver] } } });
  network.submit(sent);

  const info = (await stream.settled())[0]?.transaction?.transaction;
  expect(sent.staticKeys).not.toContain(receiver);
  expect(info?.meta?.err).toBeUndefined();
  expect(info?.transaction?.message?.addressTableLookups).toHaveLength(1);
  expect(encodeInfo(info, JSON_ENCODING).meta.loadedAddresses).toEqual({
    writable: [receiver],
    readonly: [],
  });
});
