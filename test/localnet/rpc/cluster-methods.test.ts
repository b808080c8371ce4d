import { generateKeyPairSigner } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { finalizeAll, startWorld } from './world.ts';

const ANY_HASH = expect.stringMatching(/^[1-9A-HJ-NP-Za-km-z]{32,44}$/);
const SLOTS_IN_EPOCH = 432_000;

describe('the description of a node', () => {
  it('contains its health, version and identity', async () => {
    const { ask } = await startWorld();
    expect(await ask('getHealth')).toBe('ok');
    expect(await ask('getVersion')).toEqual({
      'solana-core': expect.stringMatching(/^4\.\d+\.\d+$/),
      'feature-set': expect.any(Number),
    });
    expect(await ask('getIdentity')).toEqual({ identity: ANY_HASH });
    expect(await ask('getGenesisHash')).toEqual(ANY_HASH);
  });

  it('refuses parameters of a method without parameters', async () => {
    const { refusal } = await startWorld();
    expect(await refusal('getHealth', 1)).toMatchObject({
      code: -32602,
      message: 'Invalid parameters: No parameters were expected',
    });
  });
});

describe('the state of the chain', () => {
  it('returns slot, height and blockhash at each commitment, finalized by default', async () => {
    const { network, ask } = await startWorld();
    network.tick();
    for (const commitment of ['processed', 'confirmed', 'finalized'] as const) {
      expect(await ask('getSlot', { commitment })).toBe(network.slot(commitment));
      expect(await ask('getBlockHeight', { commitment })).toBe(network.blockHeight(commitment));
      expect(await ask('getLatestBlockhash', { commitment })).toEqual({
        context: { slot: network.slot(commitment), apiVersion: expect.any(String) },
        value: network.latestBlockhash(commitment),
      });
    }
    expect(await ask('getSlot')).toBe(network.slot('finalized'));
    expect(network.slot('finalized')).toBeLessThan(network.slot('confirmed'));
  });

  it('returns the epoch', async () => {
    const { network, ask, kit } = await startWorld();
    const slot = network.slot('finalized');
    expect(await ask('getEpochInfo')).toEqual({
      absoluteSlot: slot,
      blockHeight: network.blockHeight('finalized'),
      epoch: Math.floor(slot / SLOTS_IN_EPOCH),
      slotIndex: slot % SLOTS_IN_EPOCH,
      slotsInEpoch: SLOTS_IN_EPOCH,
      transactionCount: 0,
    });
    expect((await kit.getEpochInfo({ commitment: 'finalized' }).send()).absoluteSlot).toBe(BigInt(slot));
  });

  it('counts transactions', async () => {
    const { ask, transfer } = await startWorld();
    const { address } = await generateKeyPairSigner();
    await transfer(address);
    await transfer(address, 2_000_000n);
    expect(await ask('getTransactionCount', { commitment: 'processed' })).toBe(2);
  });

  it('refuses a minimum context slot ahead of the node, and names its slot', async () => {
    const { network, refusal, ask } = await startWorld();
    const slot = network.slot('finalized');
    expect(await ask('getSlot', { minContextSlot: slot })).toBe(slot);
    expect(await refusal('getSlot', { minContextSlot: slot + 1 })).toEqual({
      code: -32016,
      message: 'Minimum context slot has not been reached',
      data: { contextSlot: slot },
    });
  });

  it('accepts a blockhash for 150 more blocks of the commitment', async () => {
    const { network, ask } = await startWorld();
    network.tick();
    const { blockhash, lastValidBlockHeight } = network.latestBlockhash('confirmed');
    const isValid = async (commitment: string) =>
      (await ask<{ value: boolean }>('isBlockhashValid', blockhash, { commitment })).value;
    expect(await isValid('confirmed')).toBe(true);
    expect(await isValid('finalized')).toBe(false);
    finalizeAll(network);
    expect(await isValid('finalized')).toBe(true);
    while (network.blockHeight('confirmed') < lastValidBlockHeight) network.tick();
    expect([await isValid('processed'), await isValid('confirmed')]).toEqual([true, true]);
    network.tick();
    expect([await isValid('processed'), await isValid('confirmed')]).toEqual([false, false]);
    expect(await isValid('finalized')).toBe(true);
    while (network.blockHeight('finalized') < lastValidBlockHeight) network.tick();
    expect(await isValid('finalized')).toBe(true);
    network.tick();
    expect(await isValid('finalized')).toBe(false);
  });

  it('returns the lamports that make an account rent-exempt', async () => {
    const { ask, refusal } = await startWorld();
    expect(await ask('getMinimumBalanceForRentExemption', 165)).toBe(2_039_280);
    expect(await ask('getMinimumBalanceForRentExemption', 0)).toBe(890_880);
    expect(await refusal('getMinimumBalanceForRentExemption', 10 * 1024 * 1024 + 1)).toMatchObject({
      code: -32600,
    });
  });
});
