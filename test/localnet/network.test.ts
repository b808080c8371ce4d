import { type Address, generateKeyPairSigner, getBase58Decoder } from '@solana/kit';
import { getTransferSolInstruction } from '@solana-program/system';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { AccountWrite } from '../../localnet/accounts.ts';
import type { TransactionRecord } from '../../localnet/ledger.ts';
import { Network } from '../../localnet/network.ts';
import type { SlotUpdate } from '../../localnet/network-events.ts';
import {
  feeOf,
  MalformedTransaction,
  type ParsedTransaction,
  parseTransaction,
  type TransactionVersion,
  UnsanitaryTransaction,
} from '../../localnet/transaction.ts';
import { fundedWallet, signedTransaction, signedTransfer } from '../../tools/world/wallet.ts';
import { SOON } from '../support/soon.ts';

const ONE_SOL = 1_000_000_000n;
const VERSIONS: TransactionVersion[] = ['legacy', 0, 1];

async function send(network: Network, wire: Uint8Array): Promise<string> {
  const transaction = parseTransaction(wire);
  network.submit(transaction);
  return transaction.signatures[0] as string;
}

async function createWorld(options: ConstructorParameters<typeof Network>[0] = {}) {
  const network = new Network(options);
  const payer = await fundedWallet(network);
  const { address: receiver } = await generateKeyPairSigner();
  const transfer = async (lamports = ONE_SOL, version: TransactionVersion = 0) =>
    send(network, await signedTransfer(network, payer, receiver, lamports, version));
  const received = (commitment: 'processed' | 'confirmed' | 'finalized') =>
    network.getAccount(receiver, commitment)?.lamports ?? 0n;
  return { network, payer, receiver, transfer, received };
}

describe('commitment', () => {
  it('shows a transaction as processed, confirmed and finalized', async () => {
    const { network, transfer, received } = await createWorld();
    const signature = await transfer();
    const slot = network.slot('processed');
    expect(network.ledger.transaction(signature)?.slot).toBe(slot);
    expect([received('processed'), received('confirmed')]).toEqual([ONE_SOL, 0n]);
    network.tick();
    expect([received('confirmed'), received('finalized')]).toEqual([ONE_SOL, 0n]);
    while (network.slot('processed') < slot + 31) network.tick();
    expect(received('finalized')).toBe(0n);
    network.tick();
    expect(received('finalized')).toBe(ONE_SOL);
    expect(network.commitmentOf(slot)).toBe('finalized');
  });

  it('keeps confirmed and finalized apart while an account changes every slot', async () => {
    const { network, transfer, received } = await createWorld();
    for (let i = 0; i < 40; i++) {
      await transfer(ONE_SOL + BigInt(i));
      network.tick();
    }
    const blocks = [...network.ledger.blocks()];
    for (const commitment of ['confirmed', 'finalized'] as const) {
      const until = network.slot(commitment);
      const sum = blocks
        .filter((block) => block.slot <= until)
        .flatMap((block) => block.transactions)
        .reduce((total, { index }, i) => total + ONE_SOL + BigInt(i) + BigInt(index), 0n);
      expect(received(commitment)).toBe(sum);
    }
  });

  it('keeps commitments apart during a time travel, and then finalizes all', async () => {
    const { network, transfer, received } = await createWorld();
    const { slot, states } = { slot: network.slot('processed'), states: [] as unknown[] };
    await transfer(1_000_000n);
    network.tick();
    await transfer(2_000_000n);
    network.on('slot', ({ status, slot: currentSlot }) => {
      if (status === 'createdBank') {
        states.push([
          currentSlot - slot,
          ...(['processed', 'confirmed', 'finalized'] as const).map(received),
        ]);
      }
    });
    network.travel({ slot: slot + 1_000 });
    expect(states).toEqual([
      [967, 3_000_000n, 3_000_000n, 0n],
      [999, 3_000_000n, 3_000_000n, 3_000_000n],
      [1_000, 3_000_000n, 3_000_000n, 3_000_000n],
    ]);
    expect(network.slot('finalized')).toBe(slot + 967);
  });

  it('gives every transaction its own slot when slots have no length', async () => {
    const { network, transfer, received } = await createWorld({ slotMs: 0 });
    const before = network.slot('processed');
    await transfer();
    expect(network.slot('processed')).toBe(before + 1);
    expect(received('confirmed')).toBe(ONE_SOL);
  });

  it('advances the slots with a timer until it is stopped', async () => {
    const { network } = await createWorld({ slotMs: 5 });
    const before = network.slot('processed');
    network.start();
    onTestFinished(() => network.stop());
    await vi.waitFor(() => expect(network.slot('processed')).toBeGreaterThan(before + 3), SOON);
  });

  it('emits writes, transactions, blocks and slots in the order of a cluster', async () => {
    const { network, transfer } = await createWorld();
    network.tick();
    const emitted: string[] = [];
    network.on('account', ({ signature }: AccountWrite) => emitted.push(`account ${signature !== null}`));
    network.on('transaction', ({ index }: TransactionRecord) => emitted.push(`transaction ${index}`));
    network.on('block', ({ transactions }) => emitted.push(`block of ${transactions.length}`));
    const first = network.slot('processed');
    network.on('slot', ({ slot, status }: SlotUpdate) => emitted.push(`${slot - first} ${status}`));
    await transfer(1_000_000n);
    await transfer(2_000_000n);
    network.tick();
    expect(emitted).toEqual([
      ...['account true', 'account true', 'transaction 0'],
      ...['account true', 'account true', 'transaction 1'],
      ...['0 completed', 'block of 2', '0 processed'],
      ...['1 firstShredReceived', '1 createdBank', '0 confirmed'],
    ]);
  });
});

describe('blockhashes', () => {
  it('are valid up to the block after the last valid height, as in Agave', async () => {
    const { network, payer, receiver, received } = await createWorld();
    const { lastValidBlockHeight } = network.latestBlockhash('confirmed');
    expect(lastValidBlockHeight).toBe(network.blockHeight('confirmed') + 150);
    const early = await signedTransfer(network, payer, receiver, ONE_SOL);
    const late = await signedTransfer(network, payer, receiver, 2n * ONE_SOL);
    while (network.blockHeight('processed') < lastValidBlockHeight + 1) network.tick();
    await send(network, early);
    expect(received('processed')).toBe(ONE_SOL);
    network.tick();
    await send(network, late);
    expect(received('processed')).toBe(ONE_SOL);
  });

  it('prevent a duplicate up to the last block in which it could land', async () => {
    const { network, payer, receiver, received } = await createWorld();
    const { lastValidBlockHeight } = network.latestBlockhash('confirmed');
    const wire = await signedTransfer(network, payer, receiver, ONE_SOL);
    await send(network, wire);
    while (network.blockHeight('processed') <= lastValidBlockHeight + 40) {
      network.tick();
      await send(network, wire);
    }
    expect(received('processed')).toBe(ONE_SOL);
  });

  it('are usable at every commitment after a time travel', async () => {
    const { network, payer, receiver, received } = await createWorld();
    network.travel({ slot: network.slot('processed') + 100_000 });
    for (const commitment of ['confirmed', 'finalized'] as const) {
      const { blockhash } = network.latestBlockhash(commitment);
      expect(network.isBlockhashValid(blockhash, commitment)).toBe(true);
      const transfer = getTransferSolInstruction({ source: payer, destination: receiver, amount: ONE_SOL });
      await send(network, await signedTransaction(payer, [transfer], { blockhash }));
    }
    expect(received('processed')).toBe(2n * ONE_SOL);
  });

  it('expire when the time travels, and the next one is valid', async () => {
    const { network, payer, receiver, transfer, received } = await createWorld();
    const stale = await signedTransfer(network, payer, receiver, ONE_SOL);
    network.travel({ timeMs: network.clock.nowMs() + 3_600_000 });
    await send(network, stale);
    expect(received('processed')).toBe(0n);
    await transfer();
    expect(received('processed')).toBe(ONE_SOL);
  });

  it('prevent the same transaction from landing twice', async () => {
    const { network, payer, receiver, received } = await createWorld();
    const wire = await signedTransfer(network, payer, receiver, ONE_SOL);
    await send(network, wire);
    network.tick();
    await send(network, wire);
    expect(received('processed')).toBe(ONE_SOL);
    expect(network.hasLanded(parseTransaction(wire))).toBe(true);
  });

  it('are refused if the network did not produce them', async () => {
    const { network, payer, receiver, received } = await createWorld();
    const blockhash = getBase58Decoder().decode(new Uint8Array(32).fill(7));
    const transfer = getTransferSolInstruction({ source: payer, destination: receiver, amount: ONE_SOL });
    await send(network, await signedTransaction(payer, [transfer], { blockhash }));
    expect(received('processed')).toBe(0n);
  });
});

describe('transactions', () => {
  it.each(VERSIONS)('of version %s land, and their fee, balances and logs are recorded', async (version) => {
    const { network, transfer, payer } = await createWorld();
    const signature = await transfer(ONE_SOL, version);
    const record = network.ledger.transaction(signature);
    expect(record).toMatchObject({ err: null, fee: 5_000n, index: 0 });
    expect(record?.transaction.version).toBe(version);
    expect(record?.preBalances.slice(0, 2)).toEqual([100n * ONE_SOL, 0n]);
    expect(record?.postBalances.slice(0, 2)).toEqual([99n * ONE_SOL - 5_000n, ONE_SOL]);
    expect(record?.logs.at(-1)).toBe('Program 11111111111111111111111111111111 success');
    expect(network.ledger.transactionsOf(payer.address)).toEqual([record]);
  });

  it('that fail cost the fee and change nothing else', async () => {
    const { network, transfer, payer, received } = await createWorld();
    const signature = await transfer(1_000n * ONE_SOL);
    expect(network.ledger.transaction(signature)?.err).toEqual({ InstructionError: [0, { Custom: 1 }] });
    expect(network.getAccount(payer.address, 'processed')?.lamports).toBe(100n * ONE_SOL - 5_000n);
    expect(received('processed')).toBe(0n);
  });

  it('never land without a valid signature and a payer that can pay the fee', async () => {
    const { network, payer, receiver } = await createWorld();
    const forged = await signedTransfer(network, payer, receiver, ONE_SOL);
    forged[10] = (forged[10] ?? 0) ^ 1;
    await send(network, forged);
    const unfundedPayer = await generateKeyPairSigner();
    await send(network, await signedTransfer(network, unfundedPayer, receiver, 1n));
    expect(network.ledger.transactionCount).toBe(0);
  });

  it('charge the priority fee of the message', async () => {
    const { network, payer, receiver } = await createWorld();
    const price = Buffer.alloc(9);
    price.writeUInt8(3);
    price.writeBigUInt64LE(1_234_567n, 1);
    const setPrice = {
      programAddress: 'ComputeBudget111111111111111111111111111111' as Address,
      data: new Uint8Array(price),
    };
    const transfer = getTransferSolInstruction({ source: payer, destination: receiver, amount: ONE_SOL });
    const { blockhash } = network.latestBlockhash('confirmed');
    const wire = await signedTransaction(payer, [setPrice, transfer], { blockhash });
    await send(network, wire);
    const paid = 100n * ONE_SOL - ONE_SOL - (network.getAccount(payer.address, 'processed')?.lamports ?? 0n);
    expect(feeOf(parseTransaction(wire))).toBe(paid);
    expect(paid).toBeGreaterThan(5_000n);
  });

  it('are dropped or delayed as often as a fault requests', async () => {
    const { network, transfer, received } = await createWorld();
    network.faults.set({ dropTransactions: 1 });
    await transfer(1_000_000n);
    await transfer(2_000_000n);
    expect(received('processed')).toBe(2_000_000n);
    network.faults.set({ delayLandingSlots: 2 });
    await transfer(3_000_000n);
    network.tick();
    expect(received('processed')).toBe(2_000_000n);
    network.tick();
    expect(received('processed')).toBe(5_000_000n);
  });

  it('that are delayed land during a time travel beyond their expiry', async () => {
    const { network, transfer } = await createWorld({ slotMs: 250 });
    network.faults.set({ delayLandingSlots: 20 });
    const slot = network.slot('processed');
    const early = await transfer(1_000_000n);
    network.tick();
    const late = await transfer(2_000_000n);
    network.faults.set({ delayLandingSlots: 100_000 });
    const expired = await transfer(3_000_000n);
    network.travel({ slot: slot + 20 });
    expect(network.ledger.transaction(early)?.slot).toBe(slot + 20);
    expect(network.ledger.transaction(late)).toBeUndefined();
    const target = network.clock.nowMs() + 30 * 86_400_000;
    network.travel({ timeMs: target });
    expect(network.ledger.transaction(late)?.slot).toBe(slot + 21);
    expect(network.unixSeconds()).toBe(Math.floor(target / 1000));
    expect(network.ledger.transaction(expired)).toBeUndefined();
    expect(network.ledger.transactionCount).toBe(2);
  });

  it('that are delayed land in a slot each during a time travel', async () => {
    const { network, transfer, received } = await createWorld({ slotMs: 0 });
    network.faults.set({ delayLandingSlots: 3 });
    for (let n = 1n; n <= 5n; n += 1n) await transfer(n * 1_000_000n);
    const target = network.slot('processed') + 50;
    network.travel({ slot: target });
    expect(received('processed')).toBe(15_000_000n);
    expect(network.slot('processed')).toBe(target);
  });

  it.each(VERSIONS)(
    'of version %s with a missing program land as failed and cost the fee',
    async (version) => {
      const { network, payer, receiver } = await createWorld();
      const { address: program } = await generateKeyPairSigner();
      const { blockhash } = network.latestBlockhash('confirmed');
      const wire = await signedTransaction(
        payer,
        [
          getTransferSolInstruction({ source: payer, destination: receiver, amount: ONE_SOL }),
          { programAddress: program, data: Uint8Array.of(1) },
        ],
        { blockhash, version },
      );
      const signature = await send(network, wire);
      expect(network.ledger.transaction(signature)).toMatchObject({
        err: 'ProgramAccountNotFound',
        fee: 5_000n,
        logs: [],
      });
      const { preBalances = [], postBalances = [] } = network.ledger.transaction(signature) ?? {};
      expect(postBalances).toEqual([100n * ONE_SOL - 5_000n, ...preBalances.slice(1)]);
      expect(network.getAccount(payer.address, 'processed')?.lamports).toBe(100n * ONE_SOL - 5_000n);
      network.tick();
      await send(network, wire);
      expect(network.ledger.transactionCount).toBe(1);
    },
  );

  it('with a missing program never land if the payer cannot pay or has not signed', async () => {
    const { network, payer, receiver } = await createWorld();
    const { blockhash } = network.latestBlockhash('confirmed');
    const call = { programAddress: receiver, data: Uint8Array.of(1) };
    const unfundedPayer = await fundedWallet(network, 4_999n);
    await send(network, await signedTransaction(unfundedPayer, [call], { blockhash }));
    const payerWithoutRent = await fundedWallet(network, 890_880n);
    await send(network, await signedTransaction(payerWithoutRent, [call], { blockhash }));
    const forged = await signedTransaction(payer, [call], { blockhash });
    forged[10] = (forged[10] ?? 0) ^ 1;
    await send(network, forged);
    expect(network.ledger.transactionCount).toBe(0);
  });

  it('with random bytes are parsed, or refused with a named error', async () => {
    const { network, payer, receiver } = await createWorld();
    const wires = await Promise.all(
      VERSIONS.map((version) => signedTransfer(network, payer, receiver, 1n, version)),
    );
    const mutation = fc.record({
      wireIndex: fc.nat(VERSIONS.length - 1),
      changes: fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })), { maxLength: 4 }),
      cut: fc.option(fc.nat()),
    });
    fc.assert(
      fc.property(mutation, ({ wireIndex, changes, cut }) => {
        const wire = Uint8Array.from(wires[wireIndex] as Uint8Array);
        for (const [offset, value] of changes) wire[offset % wire.length] = value;
        const sent = cut === null ? wire : wire.subarray(0, cut % wire.length);
        try {
          network.simulate(parseTransaction(sent), false);
        } catch (error) {
          expect(error instanceof MalformedTransaction || error instanceof UnsanitaryTransaction).toBe(true);
        }
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('time', () => {
  it('moves forward to a date together with the slots, and programs see it', async () => {
    const { network } = await createWorld();
    const target = network.clock.nowMs() + 30 * 86_400_000;
    const slot = network.slot('processed');
    const height = network.blockHeight('processed');
    network.travel({ timeMs: target });
    expect(network.unixSeconds()).toBeGreaterThanOrEqual(Math.floor(target / 1000));
    expect(network.slot('processed') - slot).toBeGreaterThan((29 * 86_400_000) / 250);
    expect(network.slot('processed') - slot).toBe(network.blockHeight('processed') - height);
    const sysvar = network.getAccount('SysvarC1ock11111111111111111111111111111111' as Address, 'processed');
    const seconds = Buffer.from(sysvar?.data ?? []).readBigInt64LE(32);
    expect(Number(seconds)).toBe(network.unixSeconds());
  });

  it('moves forward to a slot, and the clock with it', async () => {
    const { network } = await createWorld();
    const [slot, now] = [network.slot('processed'), network.clock.nowMs()];
    const height = network.blockHeight('processed');
    network.travel({ slot: slot + 4_000 });
    expect(network.slot('processed')).toBe(slot + 4_000);
    expect(network.slot('confirmed')).toBe(slot + 3_999);
    expect(network.blockHeight('processed')).toBe(height + 4_000);
    expect(network.clock.nowMs()).toBeGreaterThanOrEqual(now + 1_000_000);
  });

  it.each([1, 2, 3, 32, 33, 34, 35])(
    'moves forward by %i slots and stops at the beginning of a slot',
    async (slots) => {
      const { network, transfer, received } = await createWorld();
      const slot = network.slot('processed');
      network.travel({ slot: slot + slots });
      expect([network.slot('processed'), network.slot('confirmed')]).toEqual([
        slot + slots,
        slot + slots - 1,
      ]);
      await transfer();
      expect(received('processed')).toBe(ONE_SOL);
    },
  );

  it.each([0, 250])('is continuous within a slot of %i ms, even across a time travel', async (slotMs) => {
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    const { network, transfer } = await createWorld({ slotMs, startMs: Date.UTC(2030, 0, 1) + 900 });
    const sysvarSeconds = () => {
      const sysvar = network.getAccount(
        'SysvarC1ock11111111111111111111111111111111' as Address,
        'processed',
      );
      return Number(Buffer.from(sysvar?.data ?? []).readBigInt64LE(32));
    };
    for (let step = 0; step < 12; step += 1) {
      vi.advanceTimersByTime(700);
      const slot = network.slot('processed');
      const before = sysvarSeconds();
      expect(network.unixSeconds()).toBe(before);
      const signature = await transfer(ONE_SOL + BigInt(step));
      vi.advanceTimersByTime(700);
      if (step % 3 === 2) network.travel({ timeMs: network.clock.nowMs() + 3_600_000 });
      else if (slotMs > 0) network.tick();
      const { blockTime } = network.ledger.transaction(signature) ?? {};
      expect(network.ledger.block(slot)?.time).toBe(blockTime);
      expect(blockTime).toBe(before);
    }
    expect(network.unixSeconds()).toBeGreaterThan(Date.UTC(2030, 0, 1, 4) / 1000);
  });

  it('never moves back', async () => {
    const { network } = await createWorld();
    expect(() => network.travel({ timeMs: network.clock.nowMs() - 1_000 })).toThrow(RangeError);
    expect(() => network.travel({ slot: network.slot('processed') })).toThrow(RangeError);
  });

  it.each([
    { timeMs: Number.MAX_SAFE_INTEGER },
    { timeMs: Number.POSITIVE_INFINITY },
    { timeMs: Number.NaN },
    { timeMs: Date.UTC(10_000, 0, 1) },
    { slot: 2 ** 52 + 1 },
    { slot: 2 ** 45 },
    { slot: Number.NaN },
  ])('never moves to %j, which is out of range, and stays usable', async (target) => {
    const { network, transfer, received } = await createWorld();
    const [slot, onSlot] = [network.slot('processed'), vi.fn()];
    network.on('slot', onSlot);
    expect(() => network.travel(target)).toThrow(RangeError);
    expect(network.slot('processed')).toBe(slot);
    expect(onSlot).not.toHaveBeenCalled();
    network.travel({ timeMs: Date.UTC(9998, 0, 1) });
    await transfer();
    expect(received('processed')).toBe(ONE_SOL);
    const reloaded = new Network({ state: network.save() });
    expect(reloaded.unixSeconds()).toBeGreaterThanOrEqual(Date.UTC(9998, 0, 1) / 1000);
  });

  it('stops while the clock is paused and then continues', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] });
    onTestFinished(() => void vi.useRealTimers());
    const { network } = await createWorld({ slotMs: 250 });
    network.start();
    onTestFinished(() => network.stop());
    network.clock.pause();
    const [slot, now] = [network.slot('processed'), network.clock.nowMs()];
    vi.advanceTimersByTime(10_000);
    expect([network.slot('processed'), network.clock.nowMs()]).toEqual([slot, now]);
    network.clock.resume();
    vi.advanceTimersByTime(1_000);
    expect([network.slot('processed'), network.clock.nowMs()]).toEqual([slot + 4, now + 1_000]);
  });
});

describe('history', () => {
  it('keeps the newest transactions and drops whole blocks, oldest first', async () => {
    const { network, payer, transfer } = await createWorld({ slotMs: 0, maxTransactions: 10 });
    const signatures: string[] = [];
    for (let i = 0; i < 25; i++) signatures.push(await transfer(ONE_SOL + BigInt(i)));
    expect(network.ledger.transactionsOf(payer.address).map(({ signature }) => signature)).toEqual(
      signatures.slice(-10).reverse(),
    );
    expect(network.ledger.transaction(signatures[0] as string)).toBeUndefined();
  });

  it('links every block to the previous one', async () => {
    const { network, transfer } = await createWorld();
    for (let i = 0; i < 5; i++) {
      await transfer(ONE_SOL + BigInt(i));
      network.tick();
      if (i === 2) network.travel({ slot: network.slot('processed') + 100 });
    }
    const blocks = [...network.ledger.blocks()];
    for (const [i, block] of blocks.slice(1).entries()) {
      expect([block.parentSlot, block.parentBlockhash]).toEqual([blocks[i]?.slot, blocks[i]?.blockhash]);
    }
    expect(new Set(blocks.map(({ blockhash }) => blockhash)).size).toBe(blocks.length);
  });
});

describe('a saved network', () => {
  const stopWallClock = () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
  };

  it('continues with the same balances, history, slots, time and usable blockhashes', async () => {
    stopWallClock();
    const { network, payer, receiver, transfer } = await createWorld();
    network.travel({ timeMs: network.clock.nowMs() + 90 * 86_400_000 });
    const signature = await transfer();
    const pending = await signedTransfer(network, payer, receiver, 2n * ONE_SOL);
    const reloaded = new Network({ state: network.save() });
    expect(reloaded.getAccount(receiver, 'confirmed')?.lamports).toBe(ONE_SOL);
    expect(reloaded.ledger.transaction(signature)?.err).toBeNull();
    expect(reloaded.slot('processed')).toBe(network.slot('processed'));
    expect(reloaded.clock.nowMs()).toBeGreaterThan(Date.now() + 89 * 86_400_000);
    reloaded.submit(network.ledger.transaction(signature)?.transaction as ParsedTransaction);
    expect(reloaded.getAccount(receiver, 'processed')?.lamports).toBe(ONE_SOL);
    await send(reloaded, pending);
    expect(reloaded.getAccount(receiver, 'processed')?.lamports).toBe(3n * ONE_SOL);
  });

  it('lands delayed transactions', async () => {
    stopWallClock();
    const { network, transfer } = await createWorld();
    network.faults.set({ delayLandingSlots: 5 });
    const slot = network.slot('processed');
    const signature = await transfer();
    const reloaded = new Network({ state: network.save() });
    for (let n = 0; n < 5; n += 1) reloaded.tick();
    expect(reloaded.ledger.transaction(signature)).toMatchObject({ slot: slot + 5, err: null });
  });

  it('includes the time between saving and loading, so that old blockhashes expire', async () => {
    stopWallClock();
    const { network, payer, receiver } = await createWorld({ slotMs: 250, startMs: Date.UTC(2030, 0, 1) });
    const stale = await signedTransfer(network, payer, receiver, ONE_SOL);
    network.faults.set({ delayLandingSlots: 5 });
    const signature = await send(network, await signedTransfer(network, payer, receiver, ONE_SOL * 2n));
    const state = network.save();
    vi.advanceTimersByTime(3_600_000);
    const reloaded = new Network({ slotMs: 250, state });
    expect(reloaded.clock.nowMs()).toBe(Date.UTC(2030, 0, 1, 1));
    expect(reloaded.unixSeconds()).toBe(Date.UTC(2030, 0, 1, 1) / 1000);
    expect(reloaded.slot('processed')).toBe(network.slot('processed') + 4 * 3_600);
    expect(reloaded.ledger.transaction(signature)?.err).toBeNull();
    await send(reloaded, stale);
    expect(reloaded.getAccount(receiver, 'processed')?.lamports).toBe(2n * ONE_SOL);
    await send(reloaded, await signedTransfer(reloaded, payer, receiver, ONE_SOL));
    expect(reloaded.getAccount(receiver, 'processed')?.lamports).toBe(3n * ONE_SOL);
  });

  it('stays paused at the same time and slot', async () => {
    stopWallClock();
    const { network } = await createWorld({ slotMs: 250 });
    network.clock.pause();
    const state = network.save();
    vi.advanceTimersByTime(3_600_000);
    const reloaded = new Network({ slotMs: 250, state });
    expect(reloaded.clock.paused).toBe(true);
    expect([reloaded.slot('processed'), reloaded.clock.nowMs(), reloaded.unixSeconds()]).toEqual([
      network.slot('processed'),
      network.clock.nowMs(),
      network.unixSeconds(),
    ]);
  });
});
