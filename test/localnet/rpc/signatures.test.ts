import { PublicKey } from '@solana/web3.js';
import { describe, expect, it } from 'vitest';
import { signedTransfer } from '../../../tools/world/wallet.ts';
import {
  finalizeAll,
  landFailure,
  memo,
  newAddress,
  ONE_SOL,
  otherSignature,
  startTransferWorld,
  startWorld,
} from './world.ts';

const CONFIRMED = { commitment: 'confirmed' };

describe('getSignatureStatuses', () => {
  it('returns the commitment that a transaction has reached', async () => {
    const { network, ask, signature, transfer, receiver } = await startTransferWorld();
    const slot = network.ledger.transaction(signature)?.slot as number;
    const read = async () => (await ask<{ value: unknown[] }>('getSignatureStatuses', [signature])).value[0];
    expect(await read()).toEqual({
      slot,
      confirmations: 1,
      status: { Ok: null },
      err: null,
      confirmationStatus: 'confirmed',
    });
    await transfer(receiver, 2_000_000n);
    expect(await read()).toMatchObject({ confirmations: 2 });
    finalizeAll(network);
    expect(await read()).toMatchObject({ confirmations: null, confirmationStatus: 'finalized' });
  });

  it('hides and counts landed transactions that are not final', async () => {
    const { network, ask, signature, receiver } = await startTransferWorld();
    network.faults.set({ hideStatuses: true });
    const statuses = () => ask('getSignatureStatuses', [signature], { searchTransactionHistory: true });
    expect(await statuses()).toMatchObject({ value: [null] });
    expect(network.faults.counts.get('hide')).toBe(1);
    expect(await ask('getSignaturesForAddress', receiver, CONFIRMED)).toMatchObject([{ signature }]);
    expect(await ask('getBalance', receiver, CONFIRMED)).toMatchObject({ value: Number(ONE_SOL) });
    network.faults.set({ hideStatuses: false });
    expect(await statuses()).toMatchObject({ value: [{ err: null }] });
    finalizeAll(network);
    network.faults.set({ hideStatuses: true });
    expect(await statuses()).toMatchObject({ value: [{ err: null }] });
  });

  it('returns processed during the transaction’s slot', async () => {
    const { network, ask, payer, sendWire } = await startWorld({ slotMs: 250 });
    const receiver = await newAddress();
    const { result } = await sendWire(await signedTransfer(network, payer, receiver, ONE_SOL));
    expect(await ask('getSignatureStatuses', [result])).toMatchObject({
      value: [{ confirmations: 0, confirmationStatus: 'processed' }],
    });
  });

  it('returns the error of a failed transaction', async () => {
    const world = await startWorld();
    const err = { InstructionError: [0, { Custom: 1 }] };
    expect(await world.ask('getSignatureStatuses', [await landFailure(world)])).toMatchObject({
      value: [{ err, status: { Err: err } }],
    });
  });

  it('finds a transaction of more than 300 slots ago only in the history', async () => {
    const { network, ask, signature } = await startTransferWorld();
    network.travel({ slot: network.slot('processed') + 301 });
    expect(await ask('getSignatureStatuses', [signature])).toMatchObject({ value: [null] });
    expect(await ask('getSignatureStatuses', [signature], { searchTransactionHistory: true })).toMatchObject({
      value: [{ confirmationStatus: 'finalized' }],
    });
  });

  it('accepts at most 256 signatures', async () => {
    const { ask, refusal, signature } = await startTransferWorld();
    const signatures = Array.from({ length: 256 }, () => signature);
    expect((await ask<{ value: unknown[] }>('getSignatureStatuses', signatures)).value).toHaveLength(256);
    expect(await refusal('getSignatureStatuses', [...signatures, signature])).toEqual({
      code: -32602,
      message: 'Too many inputs provided; max 256',
    });
  });
});

describe('getSignaturesForAddress', () => {
  it('lists the newest first, between before and until, up to a limit', async () => {
    const { web3, transfer } = await startWorld();
    const receiver = await newAddress();
    const sent: string[] = [];
    for (const lamports of [1, 2, 3, 4, 5])
      sent.push(await transfer(receiver, BigInt(lamports) * 1_000_000n));
    const [first, second, third, fourth, fifth] = sent;
    const list = async (options: { before?: string; until?: string; limit?: number } = {}) =>
      (await web3.getSignaturesForAddress(new PublicKey(receiver), options)).map(
        ({ signature }) => signature,
      );
    expect(await list()).toEqual([fifth, fourth, third, second, first]);
    expect(await list({ before: third as string })).toEqual([second, first]);
    expect(await list({ until: third as string })).toEqual([fifth, fourth]);
    expect(await list({ before: fifth as string, until: second as string })).toEqual([fourth, third]);
    expect(await list({ limit: 2 })).toEqual([fifth, fourth]);
    expect(await list({ before: otherSignature(first as string) })).toEqual([]);
    expect(await list({ until: otherSignature(first as string) })).toHaveLength(5);
  });

  it('returns the outcome, memo, time and commitment of each transaction', async () => {
    const { network, ask, payer, land } = await startWorld();
    const signature = await land([memo('hello'), memo('you')]);
    const record = network.ledger.transaction(signature);
    const entry = {
      signature,
      slot: record?.slot,
      err: null,
      memo: '[5] hello; [3] you',
      blockTime: record?.blockTime,
      confirmationStatus: 'confirmed',
      transactionIndex: 0,
    };
    expect(await ask('getSignaturesForAddress', payer.address, CONFIRMED)).toEqual([entry]);
    expect(await ask('getSignaturesForAddress', payer.address)).toEqual([]);
    finalizeAll(network);
    expect(await ask('getSignaturesForAddress', payer.address)).toEqual([
      { ...entry, confirmationStatus: 'finalized' },
    ]);
  });

  it.each([0, 1001])('refuses a limit of %i', async (limit) => {
    const { refusal, payer } = await startWorld();
    expect(await refusal('getSignaturesForAddress', payer.address, { limit })).toEqual({
      code: -32602,
      message: 'Invalid limit; max 1000',
    });
  });
});
