import { generateKeyPairSigner, getBase58Decoder, type KeyPairSigner } from '@solana/kit';
import {
  AddressLookupTableProgram,
  PublicKey,
  SendTransactionError,
  SystemProgram,
  sendAndConfirmTransaction,
  Transaction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js';
import { getTransferSolInstruction } from '@solana-program/system';
import { describe, expect, it } from 'vitest';
import { signedTransaction, signedTransfer } from '../../support/wallet.ts';
import { base64, finalizeAll, ONE_SOL, startWorld, type World } from './world.ts';

const NOTHING_RAN = {
  accounts: null,
  innerInstructions: null,
  logs: [],
  replacementBlockhash: null,
  returnData: null,
  unitsConsumed: 0,
};

async function newReceiver() {
  return (await generateKeyPairSigner()).address;
}

/** A transfer of more than the payer has, signed. */
async function overdraft({ network, payer }: World): Promise<Uint8Array> {
  return signedTransfer(network, payer, await newReceiver(), 10n ** 15n);
}

/** The wire bytes with another byte in the middle of the first signature. */
function withBadSignature(wire: Uint8Array): Uint8Array {
  return wire.with(20, (wire[20] as number) ^ 1);
}

describe('sendTransaction', () => {
  it.each(['legacy', 0, 1] as const)('lands a transaction of version %s', async (version) => {
    const { network, payer, sendWire, ask } = await startWorld();
    const receiver = await newReceiver();
    const { result } = await sendWire(await signedTransfer(network, payer, receiver, ONE_SOL, version));
    expect(network.ledger.transaction(result as string)?.transaction.version).toBe(version);
    expect(await ask('getBalance', receiver, { commitment: 'confirmed' })).toMatchObject({ value: 1e9 });
  });

  it('lands a version 1 transaction that is larger than any before', async () => {
    const { network, payer, sendWire } = await startWorld();
    const receivers = await Promise.all(Array.from({ length: 40 }, newReceiver));
    const instructions = receivers.map((destination) =>
      getTransferSolInstruction({ source: payer, destination, amount: 1_000_000n }),
    );
    const { blockhash } = network.latestBlockhash('confirmed');
    const wire = await signedTransaction(payer, instructions, { blockhash, version: 1 });
    expect(wire.length).toBeGreaterThan(1232);
    const { result } = await sendWire(wire);
    expect(network.ledger.transaction(result as string)?.err).toBeNull();
  });

  it('takes base58, which is its default', async () => {
    const { network, payer, ask } = await startWorld();
    const wire = await signedTransfer(network, payer, await newReceiver(), ONE_SOL);
    const config = { preflightCommitment: 'confirmed' };
    const signature = await ask<string>('sendTransaction', getBase58Decoder().decode(wire), config);
    expect(network.ledger.transaction(signature)?.err).toBeNull();
  });

  it('lands what web3.js signs', async () => {
    const { web3, fundedKeypair } = await startWorld();
    const from = fundedKeypair();
    const to = new PublicKey(await newReceiver());
    const transfer = SystemProgram.transfer({ fromPubkey: from.publicKey, toPubkey: to, lamports: 3e9 });
    await sendAndConfirmTransaction(web3, new Transaction().add(transfer), [from]);
    expect(await web3.getBalance(to)).toBe(3e9);
  });

  it('lands what names accounts through a lookup table', async () => {
    const { network, web3, fundedKeypair, refusal } = await startWorld();
    const from = fundedKeypair();
    const to = new PublicKey(await newReceiver());
    finalizeAll(network);
    const [create, table] = AddressLookupTableProgram.createLookupTable({
      authority: from.publicKey,
      payer: from.publicKey,
      recentSlot: network.slot('confirmed'),
    });
    const extend = AddressLookupTableProgram.extendLookupTable({
      lookupTable: table,
      authority: from.publicKey,
      payer: from.publicKey,
      addresses: [to],
    });
    await sendAndConfirmTransaction(web3, new Transaction().add(create, extend), [from]);
    const lookupTable = (await web3.getAddressLookupTable(table)).value;
    if (!lookupTable) throw new Error('there is no table');

    const message = new TransactionMessage({
      payerKey: from.publicKey,
      recentBlockhash: (await web3.getLatestBlockhash()).blockhash,
      instructions: [SystemProgram.transfer({ fromPubkey: from.publicKey, toPubkey: to, lamports: 3e9 })],
    });
    const transaction = new VersionedTransaction(message.compileToV0Message([lookupTable]));
    transaction.sign([from]);
    const signature = await web3.sendTransaction(transaction);
    expect(await web3.getBalance(to)).toBe(3e9);
    const landed = await web3.getTransaction(signature, { maxSupportedTransactionVersion: 0 });
    expect(landed?.meta?.loadedAddresses).toEqual({ writable: [to], readonly: [] });
    const parsed = await web3.getParsedTransaction(signature, { maxSupportedTransactionVersion: 0 });
    expect(parsed?.transaction.message.accountKeys.at(-1)).toMatchObject({
      pubkey: to,
      source: 'lookupTable',
    });
    expect(parsed?.transaction.message.addressTableLookups).toMatchObject([{ accountKey: table }]);

    const unknown = Object.assign(lookupTable, { key: new PublicKey(await newReceiver()) });
    const lost = new VersionedTransaction(message.compileToV0Message([unknown]));
    lost.sign([from]);
    const config = { encoding: 'base64', preflightCommitment: 'confirmed' };
    expect(await refusal('sendTransaction', base64(lost.serialize()), config)).toMatchObject({
      code: -32602,
      message: "invalid transaction: Transaction loads an address table account that doesn't exist",
    });
  });
});

describe('a preflight', () => {
  it('refuses what would fail, with its logs', async () => {
    const world = await startWorld();
    const { error } = await world.sendWire(await overdraft(world));
    expect(error).toEqual({
      code: -32002,
      message: 'Transaction simulation failed: Error processing Instruction 0: custom program error: 0x1',
      data: expect.objectContaining({
        err: { InstructionError: [0, { Custom: 1 }] },
        logs: [
          'Program 11111111111111111111111111111111 invoke [1]',
          expect.stringMatching(/^Transfer: insufficient lamports/),
          'Program 11111111111111111111111111111111 failed: custom program error: 0x1',
        ],
        accounts: null,
        unitsConsumed: 150,
        returnData: null,
      }),
    });
    expect(world.network.ledger.transactionCount).toBe(0);
  });

  it('is understood by web3.js', async () => {
    const { web3, fundedKeypair } = await startWorld();
    const from = fundedKeypair();
    const lamports = 10 ** 15;
    const transfer = SystemProgram.transfer({
      fromPubkey: from.publicKey,
      toPubkey: SystemProgram.programId,
      lamports,
    });
    const failure = await web3
      .sendTransaction(new Transaction().add(transfer), [from])
      .catch((error) => error);
    expect(failure).toBeInstanceOf(SendTransactionError);
    expect(failure.message).toContain('Simulation failed');
  });

  it('refuses a blockhash that nobody knows, or that its commitment has not seen yet', async () => {
    const { network, payer, sendWire } = await startWorld();
    const refused = {
      code: -32002,
      message: 'Transaction simulation failed: Blockhash not found',
      data: expect.objectContaining({ ...NOTHING_RAN, err: 'BlockhashNotFound' }),
    };
    const transfer = getTransferSolInstruction({
      source: payer,
      destination: await newReceiver(),
      amount: ONE_SOL,
    });
    const unknown = await signedTransaction(payer, [transfer], { blockhash: payer.address });
    expect((await sendWire(unknown)).error).toEqual(refused);

    network.tick();
    const { blockhash } = network.latestBlockhash('confirmed');
    const young = await signedTransaction(payer, [transfer], { blockhash });
    expect((await sendWire(young, { preflightCommitment: 'finalized' })).error).toEqual(refused);
    expect((await sendWire(young, { preflightCommitment: undefined })).error).toEqual(refused);
    expect((await sendWire(young, { preflightCommitment: 'confirmed' })).result).toEqual(expect.any(String));
  });

  it('refuses a transaction that has landed', async () => {
    const { network, payer, sendWire } = await startWorld();
    const wire = await signedTransfer(network, payer, await newReceiver(), ONE_SOL);
    await sendWire(wire);
    expect((await sendWire(wire)).error).toMatchObject({
      code: -32002,
      message: 'Transaction simulation failed: This transaction has already been processed',
      data: { err: 'AlreadyProcessed' },
    });
  });

  it('refuses a payer who has nothing', async () => {
    const { network, sendWire } = await startWorld();
    const nobody = await generateKeyPairSigner();
    const wire = await signedTransfer(network, nobody, await newReceiver(), ONE_SOL);
    expect((await sendWire(wire)).error).toMatchObject({
      code: -32002,
      message:
        'Transaction simulation failed: Attempt to debit an account but found no record of a prior credit.',
      data: { err: 'AccountNotFound' },
    });
  });

  it('refuses a bad signature and a missing one', async () => {
    const { network, payer, sendWire } = await startWorld();
    const wire = await signedTransfer(network, payer, await newReceiver(), ONE_SOL);
    const refused = { code: -32003, message: 'Transaction signature verification failure' };
    expect((await sendWire(withBadSignature(wire))).error).toEqual(refused);
    expect((await sendWire(wire.slice().fill(0, 1, 65))).error).toEqual(refused);
  });
});

describe('sending without a preflight', () => {
  it('answers with the signature whatever becomes of the transaction', async () => {
    const world = await startWorld();
    const { network, payer, sendWire } = world;
    const skip = { skipPreflight: true, maxRetries: 0 };
    const failing = await sendWire(await overdraft(world), skip);
    expect(network.ledger.transaction(failing.result as string)?.err).toEqual({
      InstructionError: [0, { Custom: 1 }],
    });

    const wire = await signedTransfer(network, payer, await newReceiver(), ONE_SOL);
    const unsigned = await sendWire(withBadSignature(wire), skip);
    expect(network.ledger.transaction(unsigned.result as string)).toBeUndefined();

    const transfer = getTransferSolInstruction({
      source: payer,
      destination: payer.address,
      amount: ONE_SOL,
    });
    const lost = await sendWire(
      await signedTransaction(payer, [transfer], { blockhash: payer.address }),
      skip,
    );
    expect(network.ledger.transaction(lost.result as string)).toBeUndefined();
  });

  it('is how faults are met: a dropped transaction has a signature and never lands', async () => {
    const { network, payer, sendWire } = await startWorld();
    network.faults.set({ dropTransactions: 1 });
    const wire = await signedTransfer(network, payer, await newReceiver(), ONE_SOL);
    const { result } = await sendWire(wire);
    expect(network.ledger.transaction(result as string)).toBeUndefined();
    await sendWire(wire);
    expect(network.ledger.transaction(result as string)?.err).toBeNull();
  });
});

describe('simulateTransaction', () => {
  const simulate = ({ ask }: World, wire: Uint8Array, config: object = {}) =>
    ask<{ value: Record<string, unknown> }>('simulateTransaction', base64(wire), {
      encoding: 'base64',
      commitment: 'confirmed',
      ...config,
    });

  it('tells what a transaction would do, and changes nothing', async () => {
    const world = await startWorld();
    const { network, payer } = world;
    const receiver = await newReceiver();
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

  it('shows accounts as they would be', async () => {
    const world = await startWorld();
    const receiver = await newReceiver();
    const nobody = await newReceiver();
    const wire = await signedTransfer(world.network, world.payer, receiver, ONE_SOL);
    const accounts = { encoding: 'base64', addresses: [receiver, nobody] };
    expect((await simulate(world, wire, { accounts })).value.accounts).toEqual([
      expect.objectContaining({ lamports: 1e9, data: ['', 'base64'] }),
      null,
    ]);
    expect((await simulate(world, await overdraft(world), { accounts })).value.accounts).toEqual([
      null,
      null,
    ]);
  });

  it('can replace the blockhash', async () => {
    const world = await startWorld();
    const { network, payer } = world;
    const transfer = getTransferSolInstruction({
      source: payer,
      destination: await newReceiver(),
      amount: ONE_SOL,
    });
    const wire = await signedTransaction(payer, [transfer], { blockhash: payer.address });
    expect((await simulate(world, wire)).value).toMatchObject({ ...NOTHING_RAN, err: 'BlockhashNotFound' });
    expect((await simulate(world, wire, { replaceRecentBlockhash: true })).value).toMatchObject({
      err: null,
      replacementBlockhash: network.latestBlockhash('confirmed'),
    });
  });

  it('looks at signatures only where it is asked to', async () => {
    const world = await startWorld();
    const { network, payer, refusal } = world;
    const wire = withBadSignature(await signedTransfer(network, payer, await newReceiver(), ONE_SOL));
    expect((await simulate(world, wire)).value.err).toBeNull();
    const config = { encoding: 'base64', commitment: 'confirmed', sigVerify: true };
    expect(await refusal('simulateTransaction', base64(wire), config)).toMatchObject({ code: -32003 });
    expect(
      await refusal('simulateTransaction', base64(wire), { ...config, replaceRecentBlockhash: true }),
    ).toEqual({ code: -32602, message: 'sigVerify may not be used with replaceRecentBlockhash' });
  });

  it('tells inner instructions where they are wanted', async () => {
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
    ['an address that is none', { addresses: ['foo'] }, 'Invalid param: WrongSize'],
  ])('refuses to show %s', async (_, accounts, message) => {
    const { network, payer, refusal } = await startWorld();
    const wire = await signedTransfer(network, payer, await newReceiver(), ONE_SOL);
    const config = { encoding: 'base64', commitment: 'confirmed', accounts };
    expect(await refusal('simulateTransaction', base64(wire), config)).toEqual({ code: -32602, message });
  });
});

describe('requestAirdrop', () => {
  it('is a transaction of the faucet', async () => {
    const { web3 } = await startWorld();
    const receiver = new PublicKey(await newReceiver());
    const signature = await web3.requestAirdrop(receiver, 2e9);
    expect(await web3.getBalance(receiver)).toBe(2e9);
    const parsed = await web3.getParsedTransaction(signature);
    expect(parsed?.transaction.message.instructions[1]).toMatchObject({
      parsed: { type: 'transfer', info: { destination: receiver.toBase58(), lamports: 2e9 } },
    });
  });

  it('gives as often as it is asked, even twice the same', async () => {
    const { network, ask } = await startWorld({ slotMs: 250 });
    const receiver = await newReceiver();
    const signatures = new Set<string>();
    for (let time = 0; time < 5; time += 1) signatures.add(await ask('requestAirdrop', receiver, 1e9));
    expect(signatures.size).toBe(5);
    expect(network.getAccount(receiver, 'processed')?.lamports).toBe(5n * ONE_SOL);
  });

  it('takes the blockhash it is given', async () => {
    const { network, ask } = await startWorld();
    const { blockhash } = network.latestBlockhash('finalized');
    const signature = await ask<string>('requestAirdrop', await newReceiver(), 1e9, {
      recentBlockhash: blockhash,
    });
    expect(network.ledger.transaction(signature)?.transaction.blockhash).toBe(blockhash);
  });
});

describe('fees', () => {
  const unitPrice = (microLamports: bigint) => {
    const data = Buffer.alloc(9);
    data.writeUInt8(3, 0);
    data.writeBigUInt64LE(microLamports, 1);
    return { programAddress: COMPUTE_BUDGET, data };
  };
  const COMPUTE_BUDGET = 'ComputeBudget111111111111111111111111111111' as KeyPairSigner['address'];

  it.each(['legacy', 0, 1] as const)(
    'of a version %s message are known before it is sent',
    async (version) => {
      const { network, payer, ask } = await startWorld();
      const wire = await signedTransfer(network, payer, await newReceiver(), ONE_SOL, version);
      const message = version === 1 ? wire.slice(0, -64) : wire.slice(65);
      const fee = (commitment: string) => ask('getFeeForMessage', base64(message), { commitment });
      expect(await fee('confirmed')).toMatchObject({ value: 5000 });
      for (let block = 0; block < 151; block += 1) network.tick();
      expect(await fee('confirmed')).toMatchObject({ value: null });
    },
  );

  it('that were paid lately are told by slot, for accounts that were written', async () => {
    const { network, payer, land, ask } = await startWorld();
    const receiver = await newReceiver();
    const transfer = getTransferSolInstruction({ source: payer, destination: receiver, amount: ONE_SOL });
    const signature = await land([unitPrice(7_000n), transfer]);
    const { slot } = network.ledger.transaction(signature) ?? {};
    network.tick();
    const fees = await ask<{ slot: number; prioritizationFee: number }[]>('getRecentPrioritizationFees', [
      receiver,
    ]);
    expect(fees.find((fee) => fee.slot === slot)?.prioritizationFee).toBe(7_000);
    expect(fees.at(-1)).toEqual({ slot: network.slot('confirmed'), prioritizationFee: 0 });
    for (let block = 0; block < 200; block += 1) network.tick();
    expect(await ask('getRecentPrioritizationFees')).toHaveLength(150);
  });

  it('are told for at most 128 accounts', async () => {
    const { refusal, payer } = await startWorld();
    const many = Array.from({ length: 129 }, () => payer.address);
    expect(await refusal('getRecentPrioritizationFees', many)).toMatchObject({ code: -32602 });
  });
});
