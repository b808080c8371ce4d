import { zstdDecompressSync } from 'node:zlib';
import { type Address, address, generateKeyPairSigner, getBase58Decoder } from '@solana/kit';
import { PublicKey } from '@solana/web3.js';
import { describe, expect, it } from 'vitest';
import { writeAccount } from '../../../tools/world/wallet.ts';
import { finalizeAll, ONE_SOL, startWorld, type World } from './world.ts';

const PROGRAM = address('De1egAFMkMWZSN5rYXRj9CAdheBamobVNubTsi9avR44');
const RENT_EXEMPT_EPOCH = '18446744073709551615';
const bytes = (length: number) => Uint8Array.from({ length }, (_, index) => index % 251);

async function writeData(world: World, data: Uint8Array): Promise<Address> {
  const { address } = await generateKeyPairSigner();
  writeAccount(world.network, address, { owner: PROGRAM, data });
  finalizeAll(world.network);
  return address;
}

/** Reads the `data` field of getAccountInfo. */
async function readData({ ask }: World, account: Address, config: object = {}): Promise<unknown> {
  const { value } = await ask<{ value: { data: unknown } }>('getAccountInfo', account, config);
  return value.data;
}

describe('getAccountInfo', () => {
  it('returns the account in the shape of a cluster', async () => {
    const world = await startWorld();
    const data = bytes(40);
    const account = await writeData(world, data);
    expect(await world.ask('getAccountInfo', account, { encoding: 'base64' })).toEqual({
      context: { slot: world.network.slot('finalized'), apiVersion: expect.any(String) },
      value: {
        lamports: Number(ONE_SOL),
        data: [Buffer.from(data).toString('base64'), 'base64'],
        owner: PROGRAM,
        executable: false,
        rentEpoch: Number(RENT_EXEMPT_EPOCH),
        space: 40,
      },
    });
  });

  it('encodes data in base58 by default, base64, and zstd in base64', async () => {
    const world = await startWorld();
    const data = bytes(100);
    const account = await writeData(world, data);
    const base58 = getBase58Decoder().decode(data);
    expect(await readData(world, account)).toBe(base58);
    expect(await readData(world, account, { encoding: 'base58' })).toEqual([base58, 'base58']);
    expect(await readData(world, account, { encoding: 'jsonParsed' })).toEqual([
      Buffer.from(data).toString('base64'),
      'base64',
    ]);
    const [packed, name] = (await readData(world, account, { encoding: 'base64+zstd' })) as [string, string];
    expect(name).toBe('base64+zstd');
    expect(Uint8Array.from(zstdDecompressSync(Buffer.from(packed, 'base64')))).toEqual(data);
  });

  it.each([
    ['within the data', { offset: 3, length: 5 }, bytes(200).slice(3, 8)],
    ['across the end', { offset: 195, length: 50 }, bytes(200).slice(195)],
    ['beyond the end', { offset: 500, length: 5 }, new Uint8Array()],
    ['of no bytes', { offset: 3, length: 0 }, new Uint8Array()],
  ])('returns a slice %s', async (_, dataSlice, expected) => {
    const world = await startWorld();
    const account = await writeData(world, bytes(200));
    const encoded = [Buffer.from(expected).toString('base64'), 'base64'];
    expect(await readData(world, account, { encoding: 'base64', dataSlice })).toEqual(encoded);
  });

  it('refuses base58 of more than 128 bytes, unless a slice has fewer', async () => {
    const world = await startWorld();
    const account = await writeData(world, bytes(129));
    expect(await world.refusal('getAccountInfo', account, { encoding: 'base58' })).toEqual({
      code: -32600,
      message: 'Encoded binary (base 58) data should be less than 128 bytes, please use Base64 encoding.',
    });
    const dataSlice = { offset: 1, length: 128 };
    expect(await readData(world, account, { encoding: 'base58', dataSlice })).toEqual([
      getBase58Decoder().decode(bytes(129).slice(1)),
      'base58',
    ]);
  });

  it('returns null for an account that does not exist at the commitment', async () => {
    const { network, ask } = await startWorld();
    const { address } = await generateKeyPairSigner();
    const read = async (commitment: string) =>
      (await ask<{ value: unknown }>('getAccountInfo', address, { encoding: 'base64', commitment })).value;
    expect(await read('processed')).toBeNull();
    writeAccount(network, address);
    expect(await read('processed')).not.toBeNull();
    expect(await read('confirmed')).toBeNull();
    network.tick();
    expect(await read('confirmed')).not.toBeNull();
    expect(await read('finalized')).toBeNull();
    finalizeAll(network);
    expect(await read('finalized')).not.toBeNull();
  });

  it('returns the programs and sysvars of a new cluster', async () => {
    const { web3 } = await startWorld();
    const token = await web3.getAccountInfo(new PublicKey('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'));
    expect(token?.executable).toBe(true);
    const clock = await web3.getAccountInfo(new PublicKey('SysvarC1ock11111111111111111111111111111111'));
    expect(clock?.data).toHaveLength(40);
  });

  it('returns lamports beyond 2^53 with all digits', async () => {
    const { network, url, kit } = await startWorld();
    const { address } = await generateKeyPairSigner();
    const lamports = 9_007_199_254_740_993_123n;
    writeAccount(network, address, { lamports });
    finalizeAll(network);
    expect((await kit.getBalance(address).send()).value).toBe(lamports);
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'getAccountInfo', params: [address] });
    const headers = { 'content-type': 'application/json' };
    const text = await (await fetch(url, { method: 'POST', headers, body })).text();
    expect(text).toContain(`"lamports":${lamports},`);
    expect(text).toContain(`"rentEpoch":${RENT_EXEMPT_EPOCH},`);
  });
});

describe('getMultipleAccounts', () => {
  it('returns the accounts in the requested order, with null for missing ones', async () => {
    const world = await startWorld();
    const first = await writeData(world, bytes(1));
    const missing = (await generateKeyPairSigner()).address;
    const second = await writeData(world, bytes(2));
    const { value } = await world.kit.getMultipleAccounts([second, missing, first]).send();
    expect(value.map((account) => account?.space ?? null)).toEqual([2n, null, 1n]);
    const parsed = await world.web3.getMultipleAccountsInfo([new PublicKey(first)]);
    expect(parsed[0]?.owner.toBase58()).toBe(PROGRAM);
  });

  it('accepts at most 100 addresses', async () => {
    const { refusal, ask } = await startWorld();
    const addresses = Array.from({ length: 100 }, () => PROGRAM);
    expect((await ask<{ value: unknown[] }>('getMultipleAccounts', addresses)).value).toHaveLength(100);
    expect(await refusal('getMultipleAccounts', [...addresses, PROGRAM])).toEqual({
      code: -32602,
      message: 'Too many inputs provided; max 100',
    });
  });
});

describe('getBalance', () => {
  it('is zero without an account', async () => {
    const { network, ask, payer, web3 } = await startWorld();
    const { address } = await generateKeyPairSigner();
    expect(await ask('getBalance', address)).toEqual({
      context: { slot: network.slot('finalized'), apiVersion: expect.any(String) },
      value: 0,
    });
    expect(await web3.getBalance(new PublicKey(payer.address))).toBe(100 * Number(ONE_SOL));
  });
});

describe('getProgramAccounts', () => {
  it('finds the accounts of a program, in the order of their addresses', async () => {
    const world = await startWorld();
    const accounts = await Promise.all([1, 2, 3, 4, 5].map((size) => writeData(world, bytes(size))));
    const found = await world.web3.getProgramAccounts(new PublicKey(PROGRAM));
    const sorted = accounts
      .map((account) => new PublicKey(account))
      .sort((a, b) => Buffer.compare(a.toBuffer(), b.toBuffer()))
      .map((key) => key.toBase58());
    expect(found.map(({ pubkey }) => pubkey.toBase58())).toEqual(sorted);
  });

  it('applies filters and slices', async () => {
    const world = await startWorld();
    const matching = await writeData(world, Uint8Array.of(7, 8, 9, 10));
    await writeData(world, Uint8Array.of(7, 8, 9));
    await writeData(world, Uint8Array.of(1, 8, 9, 10));
    const found = await world.kit
      .getProgramAccounts(PROGRAM, {
        encoding: 'base64',
        dataSlice: { offset: 3, length: 1 },
        filters: [
          { dataSize: 4n },
          {
            memcmp: {
              offset: 0n,
              encoding: 'base58',
              bytes: getBase58Decoder().decode(Uint8Array.of(7, 8)) as never,
            },
          },
        ],
      })
      .send();
    expect(found).toMatchObject([
      { pubkey: matching, account: { data: [Buffer.of(10).toString('base64'), 'base64'], space: 4n } },
    ]);
  });

  it('accepts the filters of web3.js', async () => {
    const world = await startWorld();
    const matching = await writeData(world, bytes(40).with(1, 7));
    await writeData(world, bytes(40));
    await writeData(world, bytes(41).with(1, 7));
    const find = async (bytes: string, encoding?: 'base58' | 'base64') => {
      const memcmp = encoding === 'base64' ? { offset: 1, bytes, encoding } : { offset: 1, bytes };
      const filters = [{ dataSize: 40 }, { memcmp }];
      const found = await world.web3.getProgramAccounts(new PublicKey(PROGRAM), { filters });
      return found.map(({ pubkey, account }) => [pubkey.toBase58(), account.data.length]);
    };
    expect(await find(getBase58Decoder().decode(Uint8Array.of(7, 2)))).toEqual([[matching, 40]]);
    expect(await find(Buffer.of(7, 2).toString('base64'), 'base64')).toEqual([[matching, 40]]);
    expect(await find(getBase58Decoder().decode(Uint8Array.of(7, 3)))).toEqual([]);
  });

  it('returns the result with its context on request', async () => {
    const world = await startWorld();
    const account = await writeData(world, bytes(3));
    const config = { encoding: 'base64', withContext: true };
    expect(await world.ask('getProgramAccounts', PROGRAM, config)).toEqual({
      context: { slot: world.network.slot('finalized'), apiVersion: expect.any(String) },
      value: [{ pubkey: account, account: expect.objectContaining({ space: 3 }) }],
    });
  });

  it('leaves out an account that is closed at the commitment', async () => {
    const world = await startWorld();
    const account = await writeData(world, bytes(3));
    writeAccount(world.network, account, { lamports: 0n });
    const find = (commitment: string) =>
      world.ask('getProgramAccounts', PROGRAM, { encoding: 'base64', commitment });
    expect(await find('finalized')).toHaveLength(1);
    expect(await find('processed')).toEqual([]);
    finalizeAll(world.network);
    expect(await find('finalized')).toEqual([]);
  });
});
