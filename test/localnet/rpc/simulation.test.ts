import { generateKeyPairSigner, type KeyPairSigner } from '@solana/kit';
import { Transaction } from '@solana/web3.js';
import { getTransferSolInstruction } from '@solana-program/system';
import { describe, expect, it } from 'vitest';
import { signedTransaction, signedTransfer, writeAccount } from '../../../tools/world/wallet.ts';
import {
  base64,
  finalizeAll,
  NOTHING_RAN,
  newAddress,
  ONE_SOL,
  signOverdraft,
  startWorld,
  type World,
  withBadSignature,
} from './world.ts';

describe('simulateTransaction', () => {
  const simulate = ({ ask }: World, wire: Uint8Array, config: object = {}) =>
    ask<{ value: Record<string, unknown> }>('simulateTransaction', base64(wire), {
      encoding: 'base64',
      commitment: 'confirmed',
      ...config,
    });

  it('returns the effects of a transaction, and changes no state', async () => {
    const world = await startWorld();
    const { network, payer } = world;
    const receiver = await newAddress();
    const wire = await signedTransfer(network, payer, receiver, ONE_SOL);
    expect(await simulate(world, wire)).toEqual({
      context: { slot: network.slot('confirmed'), apiVersion: expect.any(String) },
      value: {
        err: null,
        logs: expect.arrayContaining(['Program 11111111111111111111111111111111 success']),
        accounts: null,
        unitsConsumed: 150,
        loadedAccountsDataSize: expect.any(Number),
        returnData: null,
        innerInstructions: null,
        replacementBlockhash: null,
        fee: 5000,
        preBalances: [1e11, 0, 1],
        postBalances: [98_999_995_000, 1e9, 1],
        preTokenBalances: [],
        postTokenBalances: [],
        loadedAddresses: { writable: [], readonly: [] },
      },
    });
    expect(network.getAccount(receiver, 'processed')).toBeNull();
  });

  it('returns the accounts after the transaction', async () => {
    const world = await startWorld();
    const receiver = await newAddress();
    const missing = await newAddress();
    const wire = await signedTransfer(world.network, world.payer, receiver, ONE_SOL);
    const accounts = { encoding: 'base64', addresses: [receiver, missing] };
    expect((await simulate(world, wire, { accounts })).value.accounts).toEqual([
      expect.objectContaining({ lamports: 1e9, data: ['', 'base64'] }),
      null,
    ]);
    expect((await simulate(world, await signOverdraft(world), { accounts })).value.accounts).toEqual([
      null,
      null,
    ]);
  });

  it('can replace the blockhash', async () => {
    const world = await startWorld();
    const { network, payer } = world;
    const transfer = getTransferSolInstruction({
      source: payer,
      destination: await newAddress(),
      amount: ONE_SOL,
    });
    const wire = await signedTransaction(payer, [transfer], { blockhash: payer.address });
    expect((await simulate(world, wire)).value).toMatchObject({ ...NOTHING_RAN, err: 'BlockhashNotFound' });
    expect((await simulate(world, wire, { replaceRecentBlockhash: true })).value).toMatchObject({
      err: null,
      replacementBlockhash: network.latestBlockhash('confirmed'),
    });
  });

  it('checks signatures only on request', async () => {
    const world = await startWorld();
    const { network, payer, refusal } = world;
    const wire = withBadSignature(await signedTransfer(network, payer, await newAddress(), ONE_SOL));
    expect((await simulate(world, wire)).value.err).toBeNull();
    const config = { encoding: 'base64', commitment: 'confirmed', sigVerify: true };
    expect((await simulate(world, wire, config)).value).toMatchObject({
      ...NOTHING_RAN,
      err: 'SignatureFailure',
    });
    expect(
      await refusal('simulateTransaction', base64(wire), { ...config, replaceRecentBlockhash: true }),
    ).toEqual({ code: -32602, message: 'sigVerify may not be used with replaceRecentBlockhash' });
  });

  it('returns inner instructions on request', async () => {
    const world = await startWorld();
    const payer = world.fundedKeypair();
    const { createMint, createAssociatedTokenAccountInstruction, getAssociatedTokenAddressSync } =
      await import('@solana/spl-token');
    const mint = await createMint(world.web3, payer, payer.publicKey, null, 0);
    const account = getAssociatedTokenAddressSync(mint, payer.publicKey);
    const create = createAssociatedTokenAccountInstruction(payer.publicKey, account, payer.publicKey, mint);
    const transaction = new Transaction({
      ...(await world.web3.getLatestBlockhash()),
      feePayer: payer.publicKey,
    });
    transaction.add(create).sign(payer);
    const { value } = await simulate(world, transaction.serialize(), { innerInstructions: true });
    expect(value.err).toBeNull();
    const [inner] = value.innerInstructions as {
      index: number;
      instructions: { parsed?: { type: string } }[];
    }[];
    expect(inner?.index).toBe(0);
    expect(inner?.instructions.map(({ parsed }) => parsed?.type)).toContain('initializeAccount3');
  });

  it.each([
    ['base58', { encoding: 'base58', addresses: [] }, 'base58 encoding not supported'],
    [
      'more accounts than the transaction has',
      { addresses: Array.from({ length: 4 }, () => '11111111111111111111111111111111') },
      'Too many accounts provided; max 3',
    ],
    ['an invalid address', { addresses: ['foo'] }, 'Invalid param: WrongSize'],
  ])('refuses to return %s', async (_, accounts, message) => {
    const { network, payer, refusal } = await startWorld();
    const wire = await signedTransfer(network, payer, await newAddress(), ONE_SOL);
    const config = { encoding: 'base64', commitment: 'confirmed', accounts };
    expect(await refusal('simulateTransaction', base64(wire), config)).toEqual({ code: -32602, message });
  });
});

describe('the state of a simulation', () => {
  const COMMITMENTS = ['processed', 'confirmed', 'finalized'] as const;

  /**
   * Starts a world in which `change` is only processed, and simulates a transfer at each
   * commitment.
   */
  async function simulateAfter(
    change: (world: World, sender: KeyPairSigner) => unknown,
    lamports: bigint,
    balance = 10n * ONE_SOL,
  ) {
    const world = await startWorld({ slotMs: 250 });
    const { network, ask } = world;
    const sender = await generateKeyPairSigner();
    if (balance > 0n) writeAccount(network, sender.address, { lamports: balance });
    finalizeAll(network);
    const { blockhash } = network.latestBlockhash('finalized');
    await change(world, sender);
    const transfer = getTransferSolInstruction({ source: sender, destination: sender.address, amount: 1n });
    const transferAway = getTransferSolInstruction({
      source: sender,
      destination: await newAddress(),
      amount: lamports,
    });
    const wire = await signedTransaction(sender, [transfer, transferAway], { blockhash });
    const writes: unknown[] = [];
    network.on('account', (write) => writes.push(write));
    const before = network.getAccount(sender.address, 'processed');
    const simulateAtEach = async () => {
      const errors: unknown[] = [];
      for (const commitment of COMMITMENTS) {
        const accounts = { encoding: 'base64', addresses: [sender.address] };
        const { value } = await ask<{ value: { err: unknown } }>('simulateTransaction', base64(wire), {
          encoding: 'base64',
          commitment,
          accounts,
        });
        errors.push(value.err);
      }
      return errors;
    };
    const first = await simulateAtEach();
    expect(writes).toEqual([]);
    expect(network.getAccount(sender.address, 'processed')).toEqual(before);
    return { world, sender, wire, first, simulateAtEach };
  }

  it('is that of the commitment: later income cannot be spent yet', async () => {
    const insufficientFunds = { InstructionError: [1, { Custom: 1 }] };
    const addFunds = ({ network }: World, sender: KeyPairSigner) =>
      writeAccount(network, sender.address, { lamports: 100n * ONE_SOL });
    const { world, wire, first, simulateAtEach } = await simulateAfter(addFunds, 50n * ONE_SOL);
    expect(first).toEqual([null, insufficientFunds, insufficientFunds]);
    const send = async (preflightCommitment: string) =>
      (await world.sendWire(wire, { preflightCommitment })).error?.code;
    expect(await send('confirmed')).toBe(-32002);
    world.network.tick();
    expect(await simulateAtEach()).toEqual([null, null, insufficientFunds]);
    expect(await send('finalized')).toBe(-32002);
    finalizeAll(world.network);
    expect(await simulateAtEach()).toEqual([null, null, null]);
    expect(await send('finalized')).toBeUndefined();
  });

  it('lacks accounts that are created later, and has accounts that are closed later', async () => {
    const create = ({ network }: World, sender: KeyPairSigner) =>
      writeAccount(network, sender.address, { lamports: 100n * ONE_SOL });
    expect((await simulateAfter(create, ONE_SOL, 0n)).first).toEqual([
      null,
      'AccountNotFound',
      'AccountNotFound',
    ]);
    const close = ({ network }: World, sender: KeyPairSigner) =>
      writeAccount(network, sender.address, { lamports: 0n });
    expect((await simulateAfter(close, ONE_SOL)).first).toEqual(['AccountNotFound', null, null]);
  });

  it('contains only transactions that landed up to its slot', async () => {
    const { world, wire, simulateAtEach } = await simulateAfter(() => undefined, ONE_SOL);
    await world.sendWire(wire);
    expect(await simulateAtEach()).toEqual(['AlreadyProcessed', null, null]);
    world.network.tick();
    expect(await simulateAtEach()).toEqual(['AlreadyProcessed', 'AlreadyProcessed', null]);
    await world.sendWire(wire, { preflightCommitment: 'finalized' });
    expect(world.network.ledger.transactionCount).toBe(1);
  });

  it('has accounts that a cheat code wrote, even at confirmed', async () => {
    const { network, ask, sendWire } = await startWorld({ slotMs: 0 });
    const sender = await generateKeyPairSigner();
    writeAccount(network, sender.address, { lamports: 10n * ONE_SOL });
    const wire = await signedTransfer(network, sender, await newAddress(), ONE_SOL);
    const config = { encoding: 'base64', commitment: 'confirmed' };
    expect(await ask('simulateTransaction', base64(wire), config)).toMatchObject({
      value: { err: null, preBalances: [10e9, 0, 1] },
    });
    expect((await sendWire(wire)).result).toEqual(expect.any(String));
  });

  it('returns balances of the commitment, and does not affect later calls', async () => {
    const addFunds = ({ network }: World, sender: KeyPairSigner) =>
      writeAccount(network, sender.address, { lamports: 100n * ONE_SOL });
    const { world, sender, wire } = await simulateAfter(addFunds, 5n * ONE_SOL);
    const balances = async (commitment: string) => {
      const { value } = await world.ask<{ value: { preBalances: number[]; postBalances: number[] } }>(
        'simulateTransaction',
        base64(wire),
        { encoding: 'base64', commitment },
      );
      return [value.preBalances[0], value.postBalances[0]];
    };
    expect(await balances('confirmed')).toEqual([10e9, 5e9 - 5_000]);
    expect(await balances('processed')).toEqual([100e9, 95e9 - 5_000]);
    await world.sendWire(wire, { preflightCommitment: 'confirmed' });
    expect(world.network.getAccount(sender.address, 'processed')?.lamports).toBe(95_000_000_000n - 5_000n);
  });
});
