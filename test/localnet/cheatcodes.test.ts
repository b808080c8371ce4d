import { type Address, generateKeyPairSigner } from '@solana/kit';
import { approve, burn, getAccount, getAssociatedTokenAddressSync, getMint } from '@solana/spl-token';
import {
  Connection,
  Keypair,
  LAMPORTS_PER_SOL,
  PublicKey,
  SystemProgram,
  Transaction,
} from '@solana/web3.js';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { type AccountWrite, CLOSED_ACCOUNT, SYSTEM_PROGRAM } from '../../localnet/accounts.ts';
import { SUBSCRIPTIONS_PROGRAM, USDC_MINT } from '../../localnet/genesis.ts';
import { startLocalnet } from '../../localnet/localnet.ts';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../../localnet/token.ts';
import { encodeBase58 } from '../../src/base58/base58.ts';
import { callRpc } from '../support/json-rpc.ts';
import { sharedByFile } from '../support/shared-by-file.ts';

const mint = new PublicKey(USDC_MINT);

const localnet = await sharedByFile(startLocalnet({ slotMs: 0 }));
const connection = new Connection(localnet.rpcUrl, {
  commitment: 'confirmed',
  wsEndpoint: localnet.webSocketUrl,
});

function callCheatCode(method: string, ...params: unknown[]) {
  return callRpc(localnet.rpcUrl, method, params);
}

async function walletWithUsdc(amount: number) {
  const wallet = Keypair.generate();
  const address = wallet.publicKey.toBase58();
  await callCheatCode('surfnet_setAccount', address, { lamports: LAMPORTS_PER_SOL });
  await callCheatCode(
    'surfnet_setTokenAccount',
    address,
    USDC_MINT,
    { amount, state: 'initialized' },
    TOKEN_PROGRAM,
  );
  localnet.network.tick();
  return { wallet, tokens: getAssociatedTokenAddressSync(mint, wallet.publicKey) };
}

describe('surfnet_setAccount', () => {
  it('is visible at every commitment at once, even if slots have a length', async () => {
    const slow = await startLocalnet({ slotMs: 60_000 });
    onTestFinished(() => slow.close());
    const { address } = await generateKeyPairSigner();
    const commitments = ['processed', 'confirmed', 'finalized'] as const;
    const read = (commitment: string) =>
      callRpc<{ value: { lamports: number } | null }>(slow.rpcUrl, 'getAccountInfo', [
        address,
        { commitment, encoding: 'base64' },
      ]).then(({ result }) => result?.value?.lamports ?? null);
    const owned = (commitment: string) =>
      callRpc<{ pubkey: string }[]>(slow.rpcUrl, 'getProgramAccounts', [
        SUBSCRIPTIONS_PROGRAM,
        { commitment, encoding: 'base64' },
      ]).then(({ result }) => result?.map(({ pubkey }) => pubkey));
    for (const lamports of [5_000_000, 7_000_000, 0]) {
      await callRpc(slow.rpcUrl, 'surfnet_setAccount', [address, { lamports, owner: SUBSCRIPTIONS_PROGRAM }]);
      const expected = lamports === 0 ? null : lamports;
      expect(await Promise.all(commitments.map(read))).toEqual([expected, expected, expected]);
      const listed = lamports === 0 ? [] : [address];
      expect(await Promise.all(commitments.map(owned))).toEqual([listed, listed, listed]);
    }
    await callRpc(slow.rpcUrl, 'surfnet_setTokenAccount', [address, USDC_MINT, { amount: 42 }]);
    const tokens = getAssociatedTokenAddressSync(mint, new PublicKey(address));
    for (const commitment of commitments) {
      const { result } = await callRpc<{ value: { amount: string } }>(slow.rpcUrl, 'getTokenAccountBalance', [
        tokens.toBase58(),
        { commitment },
      ]);
      expect(result?.value.amount).toBe('42');
    }
  });

  it('sets the named fields and keeps the other fields of the account', async () => {
    const { address } = await generateKeyPairSigner();
    const response = await callCheatCode('surfnet_setAccount', address, {
      lamports: '9007199254740993',
      data: 'c0ffee',
      owner: SUBSCRIPTIONS_PROGRAM,
      rentEpoch: 0,
    });
    expect(response).toEqual({
      jsonrpc: '2.0',
      id: 1,
      result: { context: { slot: localnet.network.slot('processed') }, value: null },
    });
    await callCheatCode('surfnet_setAccount', address, { data: 'beef' });
    expect(localnet.network.getAccount(address, 'processed')).toEqual({
      lamports: 9007199254740993n,
      data: Uint8Array.from([0xbe, 0xef]),
      owner: SUBSCRIPTIONS_PROGRAM,
      executable: false,
    });
  });
});

describe('surfnet_setAccount without lamports', () => {
  it('closes the account of a program, which is then no longer listed', async () => {
    const { address } = await generateKeyPairSigner();
    const listed = async () =>
      (await connection.getProgramAccounts(new PublicKey(SUBSCRIPTIONS_PROGRAM))).map(({ pubkey }) =>
        pubkey.toBase58(),
      );
    await callCheatCode('surfnet_setAccount', address, {
      lamports: 5,
      data: '01',
      owner: SUBSCRIPTIONS_PROGRAM,
    });
    localnet.network.tick();
    expect(await listed()).toContain(address);
    const writes: unknown[] = [];
    const listen = (write: AccountWrite) => writes.push(write.account);
    localnet.network.on('account', listen);
    await callCheatCode('surfnet_setAccount', address, { lamports: 0 });
    localnet.network.off('account', listen);
    localnet.network.tick();
    expect(writes).toEqual([CLOSED_ACCOUNT]);
    expect(await listed()).not.toContain(address);
    expect(localnet.network.getAccount(address, 'processed')).toBeNull();
  });
});

describe('surfnet_setTokenAccount', () => {
  it('gives a wallet tokens in its associated account and adds them to the supply', async () => {
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
    await callCheatCode('surfnet_setTokenAccount', address, USDC_MINT, { amount: '18446744073709551615' });
    localnet.network.tick();
    expect(await getAccount(connection, tokens)).toMatchObject({
      amount: 18446744073709551615n,
      delegate,
      delegatedAmount: 77n,
    });
    await callCheatCode('surfnet_setTokenAccount', address, USDC_MINT, {
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
  it('travels to a time in ms and returns the epoch that it reached', async () => {
    const target = localnet.network.clock.nowMs() + 10 * 86_400_000;
    const { result } = await callCheatCode('surfnet_timeTravel', { absoluteTimestamp: target });
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
    await callCheatCode('surfnet_timeTravel', { absoluteSlot: slot });
    expect(localnet.network.slot('processed')).toBe(slot);
    const epoch = Math.floor(slot / 432_000) + 2;
    await callCheatCode('surfnet_timeTravel', { absoluteEpoch: epoch });
    expect(localnet.network.slot('processed')).toBe(epoch * 432_000);
  });

  it('is paused and resumed together with the slots', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] });
    onTestFinished(() => void vi.useRealTimers());
    const { rpcUrl, network, close } = await startLocalnet({ slotMs: 250 });
    onTestFinished(close);
    const slot = async () =>
      (await callRpc<number>(rpcUrl, 'getSlot', [{ commitment: 'processed' }])).result as number;
    const paused = await callRpc<{ absoluteSlot: number }>(rpcUrl, 'surfnet_pauseClock', []);
    const [first, now] = [await slot(), network.clock.nowMs()];
    expect(paused.result?.absoluteSlot).toBe(first);
    vi.advanceTimersByTime(10_000);
    expect([await slot(), network.clock.nowMs()]).toEqual([first, now]);
    await callRpc(rpcUrl, 'surfnet_resumeClock', []);
    vi.advanceTimersByTime(1_000);
    expect([await slot(), network.clock.nowMs()]).toEqual([first + 4, now + 1_000]);
  });
});

describe('localnet_setFaults', () => {
  it('loses the response to a transaction that has landed', async () => {
    const wallet = Keypair.generate();
    await callCheatCode('surfnet_setAccount', wallet.publicKey.toBase58(), { lamports: LAMPORTS_PER_SOL });
    localnet.network.tick();
    const transfer = SystemProgram.transfer({
      fromPubkey: wallet.publicKey,
      toPubkey: Keypair.generate().publicKey,
      lamports: 1_000_000,
    });
    const { blockhash } = await connection.getLatestBlockhash();
    const transaction = new Transaction({ feePayer: wallet.publicKey, recentBlockhash: blockhash } as never);
    transaction.add(transfer).sign(wallet);
    await callCheatCode('localnet_setFaults', {
      methods: { sendTransaction: { fault: 'disconnect', times: 1, when: 'after' } },
    });
    await expect(connection.sendRawTransaction(transaction.serialize())).rejects.toThrow('fetch failed');
    const signature = encodeBase58(transaction.signature as Uint8Array);
    expect((await connection.getSignatureStatuses([signature])).value).toMatchObject([
      { err: null, confirmationStatus: 'confirmed' },
    ]);
    await expect(connection.sendRawTransaction(transaction.serialize())).rejects.toThrow(
      'already been processed',
    );
  });

  it('lets exactly the requested number of calls of one method fail', async () => {
    await callCheatCode('localnet_setFaults', { methods: { getSlot: { fault: 'rate-limit', times: 2 } } });
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'getSlot' });
    const post = () =>
      fetch(localnet.rpcUrl, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    const statuses = [await post(), await post(), await post()].map(({ status }) => status);
    expect(statuses).toEqual([429, 429, 200]);
  });

  it('counts how often each fault happened', async () => {
    const readCount = async () => {
      const { result } = await callRpc<Record<string, number>>(localnet.rpcUrl, 'localnet_faultsMet');
      return result?.['rate-limit'] ?? 0;
    };
    const before = await readCount();
    await callCheatCode('localnet_setFaults', { methods: { getSlot: { fault: 'rate-limit', times: 3 } } });
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'getSlot' });
    await fetch(localnet.rpcUrl, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    await callCheatCode('localnet_setFaults', { methods: { getSlot: { fault: 'rate-limit', times: 0 } } });
    expect(await readCount()).toBe(before + 1);
  });

  it('ends at once when its number of times is set to 0', async () => {
    await callCheatCode('localnet_setFaults', { methods: { getSlot: { fault: 'server-error', times: 9 } } });
    await callCheatCode('localnet_setFaults', { methods: { getSlot: { fault: 'server-error', times: 0 } } });
    expect(await connection.getSlot()).toBeGreaterThan(0);
  });
});

describe('wrong parameters', () => {
  const wallet = '4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU';
  const RENT = 'SysvarRent111111111111111111111111111111111';
  const INSTRUCTIONS = 'Sysvar1nstructions1111111111111111111111111';
  const SYSVAR_OWNER = 'Sysvar1111111111111111111111111111111111111';
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
    ['surfnet_timeTravel', [{ absoluteTimestamp: 8.64e15 }], 'is too far ahead'],
    ['surfnet_timeTravel', [{ absoluteTimestamp: Date.UTC(10_000, 0, 1) }], 'is too far ahead'],
    ['surfnet_timeTravel', [{ absoluteSlot: Number.MAX_SAFE_INTEGER }], 'is too far ahead'],
    ['surfnet_timeTravel', [{ absoluteSlot: 2 ** 45 }], 'is too far ahead'],
    ['surfnet_timeTravel', [{ absoluteEpoch: Number.MAX_SAFE_INTEGER }], 'is too far ahead'],
    ['surfnet_timeTravel', [{}], ''],
    ['surfnet_setAccount', [RENT, { data: '00' }], `${RENT} is a sysvar`],
    ['surfnet_setAccount', [RENT, { lamports: 5, owner: SYSTEM_PROGRAM }], `${RENT} is a sysvar`],
    ['surfnet_setAccount', [INSTRUCTIONS, { lamports: 5 }], `${INSTRUCTIONS} is a sysvar`],
    ['surfnet_setAccount', [wallet, { owner: SYSVAR_OWNER }], `${wallet} is a sysvar`],
    ['surfnet_setAccount', [wallet, { executable: true }], `${wallet} cannot be written`],
    ['surfnet_setAccount', [SUBSCRIPTIONS_PROGRAM, { data: 'c0ffee' }], 'cannot be written'],
    ['surfnet_setAccount', [SUBSCRIPTIONS_PROGRAM, { lamports: 0 }], 'is a program'],
    ['surfnet_setAccount', [SYSTEM_PROGRAM, { lamports: 0 }], 'is a program'],
    ['localnet_setFaults', [{ dropTransactions: -1 }], '0.dropTransactions'],
    ['localnet_setFaults', [{ methods: { getSlot: { fault: 'gremlins', times: 1 } } }], 'fault'],
    ['localnet_setFaults', [{ methods: { getSlot: { fault: 'timeout', times: 1, when: 'now' } } }], 'when'],
  ])('%s %j is refused with the reason and changes nothing', async (method, params, reason) => {
    const { network } = localnet;
    const watched = [wallet, RENT, INSTRUCTIONS, SUBSCRIPTIONS_PROGRAM, SYSTEM_PROGRAM] as Address[];
    const state = () => [
      ...watched.map((address) => network.getAccount(address, 'processed')),
      network.slot('processed'),
      network.unixSeconds(),
    ];
    network.clock.pause();
    onTestFinished(() => network.clock.resume());
    const before = state();
    const { error } = await callCheatCode(method, ...params);
    expect(error?.code).toBe(-32602);
    expect(error?.message).toContain(reason);
    expect(state()).toEqual(before);
    await walletWithUsdc(1);
    await connection.requestAirdrop(Keypair.generate().publicKey, LAMPORTS_PER_SOL);
  });
});
