import { generateKeyPairSigner } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { signedTransfer } from '../../../tools/world/wallet.ts';
import { finalizeAll, ONE_SOL, startWorld } from './world.ts';

/** A world whose last confirmed block has two transactions. */
async function startBlockWorld() {
  const world = await startWorld({ slotMs: 250 });
  const { network, payer, sendWire } = world;
  const { address: receiver } = await generateKeyPairSigner();
  const signatures: string[] = [];
  for (const lamports of [ONE_SOL, 2n * ONE_SOL]) {
    const { result } = await sendWire(await signedTransfer(network, payer, receiver, lamports));
    signatures.push(result as string);
  }
  network.tick();
  return { ...world, signatures, slot: network.slot('confirmed') };
}

const CONFIRMED = { commitment: 'confirmed', maxSupportedTransactionVersion: 0 };

describe('getBlock', () => {
  it('returns a block with its transactions', async () => {
    const { network, ask, slot, signatures } = await startBlockWorld();
    const block = network.ledger.block(slot);
    const expected = { transaction: { message: expect.anything() }, meta: { fee: 5000 }, version: 0 };
    expect(await ask('getBlock', slot, CONFIRMED)).toMatchObject({
      previousBlockhash: block?.parentBlockhash,
      blockhash: block?.blockhash,
      parentSlot: slot - 1,
      blockTime: block?.time,
      blockHeight: block?.height,
      rewards: [],
      transactions: signatures.map((signature) => ({
        ...expected,
        transaction: { signatures: [signature] },
      })),
    });
  });

  it('returns the requested details of the transactions', async () => {
    const { ask, slot, signatures, payer } = await startBlockWorld();
    const getBlockWith = (transactionDetails: string, rewards = true) =>
      ask<{ transactions: unknown[] }>('getBlock', slot, { ...CONFIRMED, transactionDetails, rewards });
    expect(await getBlockWith('signatures')).toMatchObject({ signatures });
    expect(await getBlockWith('signatures')).not.toHaveProperty('transactions');
    expect(await getBlockWith('none')).not.toHaveProperty('signatures');
    expect(await getBlockWith('none', false)).not.toHaveProperty('rewards');
    const [first] = (await getBlockWith('accounts')).transactions;
    expect(first).toEqual({
      transaction: {
        signatures: [signatures[0]],
        accountKeys: [
          { pubkey: payer.address, signer: true, writable: true, source: 'transaction' },
          expect.objectContaining({ signer: false, writable: true }),
          expect.objectContaining({ signer: false, writable: false }),
        ],
      },
      meta: {
        err: null,
        status: { Ok: null },
        fee: 5000,
        preBalances: expect.any(Array),
        postBalances: expect.any(Array),
        preTokenBalances: [],
        postTokenBalances: [],
        rewards: [],
      },
      version: 0,
    });
  });

  it('can be read by web3.js and kit', async () => {
    const { network, web3, kit, slot, signatures } = await startBlockWorld();
    const block = await web3.getBlock(slot, { maxSupportedTransactionVersion: 0 });
    expect(block?.transactions.map(({ transaction }) => transaction.signatures[0])).toEqual(signatures);
    finalizeAll(network);
    const parsed = await kit
      .getBlock(BigInt(slot), { encoding: 'jsonParsed', maxSupportedTransactionVersion: 0 })
      .send();
    expect(parsed?.transactions[0]?.transaction.message.instructions).toMatchObject([{ program: 'system' }]);
  });

  it('refuses a client that does not support the version of a transaction in the block', async () => {
    const { refusal, slot } = await startBlockWorld();
    expect(await refusal('getBlock', slot, { commitment: 'confirmed' })).toMatchObject({ code: -32015 });
  });

  it('returns the reason if there is no block', async () => {
    const { network, refusal } = await startWorld({ maxBlocks: 60 });
    const before = network.slot('processed');
    network.travel({ slot: before + 10 });
    finalizeAll(network);
    const newest = network.slot('finalized');
    expect(await refusal('getBlock', before + 5)).toEqual({
      code: -32007,
      message: `Slot ${before + 5} was skipped, or missing due to ledger jump to recent snapshot`,
    });
    const ahead = { code: -32004, message: `Block not available for slot ${newest + 1}` };
    expect(await refusal('getBlock', newest + 1)).toEqual(ahead);
    for (let block = 0; block < 60; block += 1) network.tick();
    const first = network.ledger.firstSlot;
    expect(await refusal('getBlock', 5)).toEqual({
      code: -32001,
      message: `Block 5 cleaned up, does not exist on node. First available block: ${first}`,
    });
  });
});

describe('lists of blocks', () => {
  it('contain the slots with a block', async () => {
    const { network, ask, refusal } = await startWorld();
    const start = network.slot('finalized');
    network.travel({ slot: network.slot('processed') + 10 });
    finalizeAll(network);
    const produced = [...network.ledger.blocks()].map(({ slot }) => slot);
    const finalized = produced.filter((slot) => slot >= start && slot <= network.slot('finalized'));
    expect(finalized.length).toBeLessThan(network.slot('finalized') - start);
    expect(await ask('getBlocks', start)).toEqual(finalized);
    expect(await ask('getBlocks', start, finalized[2])).toEqual(finalized.slice(0, 3));
    expect(await ask('getBlocks', start, { commitment: 'confirmed' })).toEqual(
      produced.filter((slot) => slot >= start),
    );
    expect(await ask('getBlocks', start + 1, start)).toEqual([]);
    expect(await ask('getBlocksWithLimit', start, 2)).toEqual(finalized.slice(0, 2));
    expect(await refusal('getBlocks', 0, start)).toEqual({
      code: -32602,
      message: 'Slot range too large; max 500000',
    });
    expect(await refusal('getBlocksWithLimit', start, 500_001)).toEqual({
      code: -32602,
      message: 'Limit too large; max 500000',
    });
  });

  it('start with the oldest block that was not dropped', async () => {
    const { network, ask } = await startWorld({ maxBlocks: 40 });
    expect(await ask('getFirstAvailableBlock')).toBe(network.ledger.firstSlot);
    expect(await ask('minimumLedgerSlot')).toBe(network.ledger.firstSlot);
  });
});

describe('getBlockTime', () => {
  it('is the time of the block, or of the current slot', async () => {
    const { network, ask, refusal } = await startWorld({ startMs: 1_800_000_000_000 });
    network.clock.pause();
    network.travel({ timeMs: network.clock.nowMs() + 3_600_000 });
    expect(await ask('getBlockTime', network.slot('confirmed'))).toBe(network.unixSeconds());
    expect(await ask('getBlockTime', network.slot('processed'))).toBe(network.unixSeconds());
    expect(await refusal('getBlockTime', network.slot('processed') + 1)).toMatchObject({ code: -32004 });
  });
});
