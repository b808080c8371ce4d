import { type Address, generateKeyPairSigner } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { cheatcodes } from '../../../localnet/cheatcodes.ts';
import { signedTransfer } from '../../../tools/world/wallet.ts';
import { callRpc } from '../../support/json-rpc.ts';
import { ONE_SOL, startWorld } from './world.ts';

const CONFIRMED = { commitment: 'confirmed' } as const;

/** A world with an account of one SOL that receives another SOL while node `b` lags. */
async function startLaggingWorld(lagSlots = 20) {
  const world = await startWorld();
  const { address } = await generateKeyPairSigner();
  await world.transfer(address);
  for (let ticks = 0; ticks < 40; ticks += 1) world.network.tick();
  const before = world.network.slot('confirmed');
  world.network.faults.set({ nodes: { b: { lagSlots } } });
  const signature = await world.transfer(address);
  const b = <T>(method: string, ...params: unknown[]) => callRpc<T>(`${world.url}/b`, method, params);
  return { ...world, address, before, signature, b };
}

const balanceParams = (address: Address) => [address, CONFIRMED] as const;

describe('a node that lags', () => {
  it('returns accounts as of its own slot while another node is current', async () => {
    const { ask, b, address, before } = await startLaggingWorld();
    expect(await ask('getBalance', ...balanceParams(address))).toMatchObject({ value: Number(2n * ONE_SOL) });
    const { result } = await b<{ context: { slot: number }; value: number }>(
      'getBalance',
      ...balanceParams(address),
    );
    expect(result?.value).toBe(Number(ONE_SOL));
    expect(result?.context.slot).toBeLessThanOrEqual(before);
  });

  it('answers -32016 with its own slot if the minimum context slot is ahead of it', async () => {
    const { network, b, address } = await startLaggingWorld();
    const minContextSlot = network.slot('confirmed');
    for (const [method, ...params] of [
      ['getBalance', address, { ...CONFIRMED, minContextSlot }],
      ['getMultipleAccounts', [address], { ...CONFIRMED, minContextSlot }],
      ['getLatestBlockhash', { ...CONFIRMED, minContextSlot }],
      ['getSignaturesForAddress', address, { ...CONFIRMED, minContextSlot }],
    ] as const) {
      const { error } = await b(method, ...params);
      expect(error, method).toMatchObject({ code: -32016, data: { contextSlot: expect.any(Number) } });
    }
  });

  it('does not know later transactions, statuses and blocks', async () => {
    const { ask, b, address, signature, before, network } = await startLaggingWorld();
    const statuses = [[signature], { searchTransactionHistory: true }] as const;
    expect(await ask('getSignatureStatuses', ...statuses)).toMatchObject({ value: [{ err: null }] });
    expect((await b('getSignatureStatuses', ...statuses)).result).toMatchObject({ value: [null] });
    expect((await b('getTransaction', signature, CONFIRMED)).result).toBeNull();
    expect((await b('getSignaturesForAddress', address, CONFIRMED)).result).toHaveLength(1);
    expect((await b<number>('getSlot', CONFIRMED)).result).toBeLessThanOrEqual(before);
    expect((await b<number>('getBlockHeight', CONFIRMED)).result).toBeLessThan(
      network.blockHeight('confirmed'),
    );
  });

  it('simulates with the accounts as of its slot', async () => {
    const { b, network, payer, address, call } = await startLaggingWorld();
    const { lamports: balance = 0n } = network.getAccount(payer.address, 'confirmed') ?? {};
    network.setAccount(payer.address, {
      ...(network.getAccount(payer.address, 'processed') as NonNullable<
        ReturnType<typeof network.getAccount>
      >),
      lamports: 10n * balance,
    });
    network.tick();
    const wire = await signedTransfer(network, payer, address, 2n * balance);
    const params = [
      Buffer.from(wire).toString('base64'),
      { ...CONFIRMED, encoding: 'base64', replaceRecentBlockhash: true },
    ];
    const current = await call<{ value: { err: unknown } }>('simulateTransaction', ...params);
    expect(current.result?.value.err).toBeNull();
    const lagging = await b<{ value: { err: unknown } }>('simulateTransaction', ...params);
    expect(lagging.result?.value.err).not.toBeNull();
    const afterwards = await call<{ value: { err: unknown } }>('simulateTransaction', ...params);
    expect(afterwards.result?.value.err).toBeNull();
  });

  it('still forwards transactions', async () => {
    const { b, network, payer, address } = await startLaggingWorld();
    const wire = await signedTransfer(network, payer, address, ONE_SOL);
    const encoded = Buffer.from(wire).toString('base64');
    await b('sendTransaction', encoded, { encoding: 'base64', skipPreflight: true });
    expect(network.getAccount(address, 'confirmed')?.lamports).toBe(3n * ONE_SOL);
  });

  it('catches up slot by slot, and never goes below the finalized slot', async () => {
    const { b, network, address } = await startLaggingWorld(1_000_000);
    const balance = async () =>
      (await b<{ value: number }>('getBalance', ...balanceParams(address))).result?.value;
    for (let ticks = 0; ticks < 200; ticks += 1) network.tick();
    expect(await balance()).toBe(Number(ONE_SOL));
    network.faults.set({ nodes: { b: { lagSlots: 10 } } });
    expect(await balance()).toBe(Number(2n * ONE_SOL));
    network.faults.set({ nodes: { b: { lagSlots: 0 } } });
    expect((await b<number>('getSlot', CONFIRMED)).result).toBe(network.slot('confirmed'));
    expect(network.faults.counts.get('lag')).toBeGreaterThan(0);
  });

  it('is set by a cheat code, which sets it for every node with *', async () => {
    const { ask, refusal, network } = await startWorld({ methods: cheatcodes });
    await ask('localnet_setFaults', { nodes: { '*': { lagSlots: 3 } } });
    for (let ticks = 0; ticks < 40; ticks += 1) network.tick();
    expect(await ask('getSlot', CONFIRMED)).toBe(network.slot('confirmed') - 3);
    expect(await refusal('localnet_setFaults', { nodes: { '*': { lagSlots: -1 } } })).toMatchObject({
      code: -32602,
    });
  });
});

it('breaks the connections of a node that is down, but of no other node', async () => {
  const { network, ask, b } = await startLaggingWorld(0);
  network.faults.set({ nodes: { b: { down: true } } });
  await expect(b('getSlot')).rejects.toThrow('fetch failed');
  expect(await ask('getHealth')).toBe('ok');
  network.faults.set({ nodes: { b: { down: false } } });
  expect((await b('getHealth')).result).toBe('ok');
  expect(network.faults.counts.get('down')).toBe(1);
});

it('a rate limit inside HTTP 200 is a JSON-RPC error', async () => {
  const { network, refusal, ask } = await startWorld();
  network.faults.set({ methods: { getSlot: { fault: 'rate-limit-inside', times: 1 } } });
  expect(await refusal('getSlot')).toMatchObject({ code: 429 });
  expect(await ask('getSlot')).toBeTypeOf('number');
});
