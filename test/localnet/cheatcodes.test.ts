import { generateKeyPairSigner } from '@solana/kit';
import { approve, burn, getAccount, getAssociatedTokenAddressSync, getMint } from '@solana/spl-token';
import { Connection, Keypair, LAMPORTS_PER_SOL, PublicKey } from '@solana/web3.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SUBSCRIPTIONS_PROGRAM, USDC_MINT } from '../../localnet/genesis.ts';
import { type Localnet, startLocalnet } from '../../localnet/localnet.ts';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../../localnet/token.ts';
import { callRpc } from '../support/json-rpc.ts';

let localnet: Localnet;
let connection: Connection;
const mint = new PublicKey(USDC_MINT);

beforeAll(async () => {
  localnet = await startLocalnet({ slotMs: 0 });
  connection = new Connection(localnet.rpcUrl, {
    commitment: 'confirmed',
    wsEndpoint: localnet.webSocketUrl,
  });
});
afterAll(() => localnet.close());

function cheat(method: string, ...params: unknown[]) {
  return callRpc(localnet.rpcUrl, method, params);
}

async function walletWithUsdc(amount: number) {
  const wallet = Keypair.generate();
  const address = wallet.publicKey.toBase58();
  await cheat('surfnet_setAccount', address, { lamports: LAMPORTS_PER_SOL });
  await cheat('surfnet_setTokenAccount', address, USDC_MINT, { amount, state: 'initialized' }, TOKEN_PROGRAM);
  localnet.network.tick();
  return { wallet, tokens: getAssociatedTokenAddressSync(mint, wallet.publicKey) };
}

describe('surfnet_setAccount', () => {
  it('sets what is named and leaves the rest of the account alone', async () => {
    const { address } = await generateKeyPairSigner();
    const answer = await cheat('surfnet_setAccount', address, {
      lamports: '9007199254740993',
      data: 'c0ffee',
      owner: SUBSCRIPTIONS_PROGRAM,
      rentEpoch: 0,
    });
    expect(answer).toEqual({
      jsonrpc: '2.0',
      id: 1,
      result: { context: { slot: localnet.network.slot('processed') }, value: null },
    });
    await cheat('surfnet_setAccount', address, { data: 'beef' });
    expect(localnet.network.getAccount(address, 'processed')).toEqual({
      lamports: 9007199254740993n,
      data: Uint8Array.from([0xbe, 0xef]),
      owner: SUBSCRIPTIONS_PROGRAM,
      executable: false,
    });
  });
});

describe('surfnet_setTokenAccount', () => {
  it('gives a wallet tokens in its associated account, counted in the supply', async () => {
    const before = (await getMint(connection, mint)).supply;
    const { wallet, tokens } = await walletWithUsdc(5_000_000);
    expect(await getAccount(connection, tokens)).toMatchObject({
      amount: 5_000_000n,
      owner: wallet.publicKey,
    });
    expect((await getMint(connection, mint)).supply).toBe(before + 5_000_000n);
    await burn(connection, wallet, tokens, mint, wallet, 1_000_000);
    expect((await getAccount(connection, tokens)).amount).toBe(4_000_000n);
  });

  it('keeps the delegate when only the amount is set, and clears it for null', async () => {
    const { wallet, tokens } = await walletWithUsdc(1);
    const delegate = Keypair.generate().publicKey;
    await approve(connection, wallet, tokens, delegate, wallet, 77);
    const address = wallet.publicKey.toBase58();
    await cheat('surfnet_setTokenAccount', address, USDC_MINT, { amount: '18446744073709551615' });
    localnet.network.tick();
    expect(await getAccount(connection, tokens)).toMatchObject({
      amount: 18446744073709551615n,
      delegate,
      delegatedAmount: 77n,
    });
    await cheat('surfnet_setTokenAccount', address, USDC_MINT, {
      amount: 0,
      delegate: null,
      state: 'frozen',
    });
    localnet.network.tick();
    expect(await getAccount(connection, tokens)).toMatchObject({
      amount: 0n,
      delegate: null,
      isFrozen: true,
    });
  });
});

describe('the clock', () => {
  it('travels to a time in ms and answers with the epoch it reached', async () => {
    const target = localnet.network.clock.nowMs() + 10 * 86_400_000;
    const { result } = await cheat('surfnet_timeTravel', { absoluteTimestamp: target });
    const slot = localnet.network.slot('processed');
    expect(result).toMatchObject({
      absoluteSlot: slot,
      epoch: Math.floor(slot / 432_000),
      slotIndex: slot % 432_000,
      slotsInEpoch: 432_000,
    });
    expect(await connection.getBlockTime(await connection.getSlot())).toBeGreaterThanOrEqual(
      Math.floor(target / 1000),
    );
  });

  it('travels to a slot or an epoch', async () => {
    const slot = localnet.network.slot('processed') + 1_000;
    await cheat('surfnet_timeTravel', { absoluteSlot: slot });
    expect(localnet.network.slot('processed')).toBe(slot + 1);
    const epoch = Math.floor(slot / 432_000) + 2;
    await cheat('surfnet_timeTravel', { absoluteEpoch: epoch });
    expect(localnet.network.slot('processed')).toBe(epoch * 432_000 + 1);
  });

  it('is paused and resumed', async () => {
    await cheat('surfnet_pauseClock');
    expect(localnet.network.clock.paused).toBe(true);
    await cheat('surfnet_resumeClock');
    expect(localnet.network.clock.paused).toBe(false);
  });
});

describe('localnet_setFaults', () => {
  it('makes the next calls of one method fail, and only as many as were asked for', async () => {
    await cheat('localnet_setFaults', { methods: { getSlot: { fault: 'rate-limit', times: 2 } } });
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'getSlot' });
    const post = () =>
      fetch(localnet.rpcUrl, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    const statuses = [await post(), await post(), await post()].map(({ status }) => status);
    expect(statuses).toEqual([429, 429, 200]);
  });

  it('ends at once when the times are set to none', async () => {
    await cheat('localnet_setFaults', { methods: { getSlot: { fault: 'server-error', times: 9 } } });
    await cheat('localnet_setFaults', { methods: { getSlot: { fault: 'server-error', times: 0 } } });
    expect(await connection.getSlot()).toBeGreaterThan(0);
  });
});

describe('wrong parameters', () => {
  const wallet = '4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU';
  it.each([
    ['surfnet_setAccount', ['nobody', { lamports: 1 }], '0: not an address'],
    ['surfnet_setAccount', [wallet, { lamports: -1 }], '1.lamports'],
    ['surfnet_setAccount', [wallet, { lamports: '18446744073709551616' }], '1.lamports'],
    ['surfnet_setAccount', [wallet, { data: 'xyz' }], '1.data: not hexadecimal'],
    ['surfnet_setAccount', [wallet, { colour: 'red' }], 'colour'],
    ['surfnet_setAccount', [], 'params'],
    ['surfnet_setTokenAccount', [wallet, wallet, { amount: 1.5 }], ''],
    ['surfnet_setTokenAccount', [wallet, SUBSCRIPTIONS_PROGRAM, { amount: 1 }], 'is not a mint'],
    ['surfnet_setTokenAccount', [wallet, USDC_MINT, { amount: 1 }, TOKEN_2022_PROGRAM], 'is not a mint of'],
    ['surfnet_timeTravel', [{ absoluteTimestamp: 5 }], 'is before the chain'],
    ['surfnet_timeTravel', [{ absoluteSlot: 5 }], 'is not after'],
    ['surfnet_timeTravel', [{}], ''],
    ['localnet_setFaults', [{ dropTransactions: -1 }], '0.dropTransactions'],
    ['localnet_setFaults', [{ methods: { getSlot: { fault: 'gremlins', times: 1 } } }], 'fault'],
  ])('%s %j is refused with the reason and changes nothing', async (method, params, reason) => {
    const before = localnet.network.getAccount(USDC_MINT, 'processed');
    const { error } = await cheat(method, ...params);
    expect(error?.code).toBe(-32602);
    expect(error?.message).toContain(reason);
    expect(localnet.network.getAccount(USDC_MINT, 'processed')).toEqual(before);
  });
});
