import {
  type Base64EncodedWireTransaction,
  generateKeyPairSigner,
  getBase58Decoder,
  isSolanaError,
  SOLANA_ERROR__INSTRUCTION_ERROR__CUSTOM,
  SOLANA_ERROR__JSON_RPC__SERVER_ERROR_SEND_TRANSACTION_PREFLIGHT_FAILURE,
} from '@solana/kit';
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
import { signedTransaction, signedTransfer } from '../../../tools/world/wallet.ts';
import {
  base64,
  finalizeAll,
  NOTHING_RAN,
  newAddress,
  ONE_SOL,
  signOverdraft,
  startWorld,
  withBadSignature,
} from './world.ts';

describe('sendTransaction', () => {
  it.each(['legacy', 0, 1] as const)('lands a transaction of version %s', async (version) => {
    const { network, payer, sendWire, ask } = await startWorld();
    const receiver = await newAddress();
    const { result } = await sendWire(await signedTransfer(network, payer, receiver, ONE_SOL, version));
    expect(network.ledger.transaction(result as string)?.transaction.version).toBe(version);
    expect(await ask('getBalance', receiver, { commitment: 'confirmed' })).toMatchObject({ value: 1e9 });
  });

  it('lands a version 1 transaction that is larger than earlier versions allow', async () => {
    const { network, payer, sendWire } = await startWorld();
    const receivers = await Promise.all(Array.from({ length: 40 }, newAddress));
    const instructions = receivers.map((destination) =>
      getTransferSolInstruction({ source: payer, destination, amount: 1_000_000n }),
    );
    const { blockhash } = network.latestBlockhash('confirmed');
    const wire = await signedTransaction(payer, instructions, { blockhash, version: 1 });
    expect(wire.length).toBeGreaterThan(1232);
    const { result } = await sendWire(wire);
    expect(network.ledger.transaction(result as string)?.err).toBeNull();
  });

  it('accepts base58, which is its default', async () => {
    const { network, payer, ask } = await startWorld();
    const wire = await signedTransfer(network, payer, await newAddress(), ONE_SOL);
    const config = { preflightCommitment: 'confirmed' };
    const signature = await ask<string>('sendTransaction', getBase58Decoder().decode(wire), config);
    expect(network.ledger.transaction(signature)?.err).toBeNull();
  });

  it('lands transactions of kit, and kit decodes the reason if one does not land', async () => {
    const world = await startWorld();
    const { network, payer, kit } = world;
    const send = (wire: Uint8Array) =>
      kit
        .sendTransaction(base64(wire) as Base64EncodedWireTransaction, {
          encoding: 'base64',
          preflightCommitment: 'confirmed',
        })
        .send();
    const signature = await send(await signedTransfer(network, payer, await newAddress(), ONE_SOL, 1));
    expect((await kit.getSignatureStatuses([signature]).send()).value).toMatchObject([{ err: null }]);

    const failure = await send(await signOverdraft(world)).catch((error: unknown) => error);
    if (!isSolanaError(failure, SOLANA_ERROR__JSON_RPC__SERVER_ERROR_SEND_TRANSACTION_PREFLIGHT_FAILURE)) {
      throw failure;
    }
    expect(failure.context.logs).toHaveLength(3);
    expect(isSolanaError(failure.cause, SOLANA_ERROR__INSTRUCTION_ERROR__CUSTOM)).toBe(true);
  });

  it('lands transactions that web3.js signed', async () => {
    const { web3, fundedKeypair } = await startWorld();
    const from = fundedKeypair();
    const to = new PublicKey(await newAddress());
    const transfer = SystemProgram.transfer({ fromPubkey: from.publicKey, toPubkey: to, lamports: 3e9 });
    await sendAndConfirmTransaction(web3, new Transaction().add(transfer), [from]);
    expect(await web3.getBalance(to)).toBe(3e9);
  });

  it('lands transactions with accounts from a lookup table', async () => {
    const { network, web3, fundedKeypair, refusal } = await startWorld();
    const from = fundedKeypair();
    const to = new PublicKey(await newAddress());
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
    if (!lookupTable) throw new Error('the lookup table does not exist');

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

    const unknown = Object.assign(lookupTable, { key: new PublicKey(await newAddress()) });
    const unlandable = new VersionedTransaction(message.compileToV0Message([unknown]));
    unlandable.sign([from]);
    const config = { encoding: 'base64', preflightCommitment: 'confirmed' };
    expect(await refusal('sendTransaction', base64(unlandable.serialize()), config)).toMatchObject({
      code: -32602,
      message: "invalid transaction: Transaction loads an address table account that doesn't exist",
    });
  });
});

describe('a preflight', () => {
  it('refuses a transaction that would fail, with its logs', async () => {
    const world = await startWorld();
    const { error } = await world.sendWire(await signOverdraft(world));
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

  it('returns an error that web3.js decodes', async () => {
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

  it('refuses a blockhash that is unknown at its commitment', async () => {
    const { network, payer, sendWire } = await startWorld();
    const refused = {
      code: -32002,
      message: 'Transaction simulation failed: Blockhash not found',
      data: expect.objectContaining({ ...NOTHING_RAN, err: 'BlockhashNotFound' }),
    };
    const transfer = getTransferSolInstruction({
      source: payer,
      destination: await newAddress(),
      amount: ONE_SOL,
    });
    const unknown = await signedTransaction(payer, [transfer], { blockhash: payer.address });
    expect((await sendWire(unknown)).error).toEqual(refused);

    network.tick();
    const { blockhash } = network.latestBlockhash('confirmed');
    const recent = await signedTransaction(payer, [transfer], { blockhash });
    expect((await sendWire(recent, { preflightCommitment: 'finalized' })).error).toEqual(refused);
    expect((await sendWire(recent, { preflightCommitment: undefined })).error).toEqual(refused);
    expect((await sendWire(recent, { preflightCommitment: 'confirmed' })).result).toEqual(expect.any(String));
  });

  it('refuses a transaction that has landed', async () => {
    const { network, payer, sendWire } = await startWorld();
    const wire = await signedTransfer(network, payer, await newAddress(), ONE_SOL);
    await sendWire(wire);
    expect((await sendWire(wire)).error).toMatchObject({
      code: -32002,
      message: 'Transaction simulation failed: This transaction has already been processed',
      data: { err: 'AlreadyProcessed' },
    });
  });

  it('refuses a payer without lamports', async () => {
    const { network, sendWire } = await startWorld();
    const unfundedPayer = await generateKeyPairSigner();
    const wire = await signedTransfer(network, unfundedPayer, await newAddress(), ONE_SOL);
    expect((await sendWire(wire)).error).toMatchObject({
      code: -32002,
      message:
        'Transaction simulation failed: Attempt to debit an account but found no record of a prior credit.',
      data: { err: 'AccountNotFound' },
    });
  });

  it('refuses an invalid signature and a missing one', async () => {
    const { network, payer, sendWire } = await startWorld();
    const wire = await signedTransfer(network, payer, await newAddress(), ONE_SOL);
    const refused = {
      code: -32002,
      message: 'Transaction simulation failed: Transaction did not pass signature verification',
      data: { ...NOTHING_RAN, err: 'SignatureFailure' },
    };
    expect((await sendWire(withBadSignature(wire))).error).toMatchObject(refused);
    expect((await sendWire(wire.slice().fill(0, 1, 65))).error).toMatchObject(refused);
  });
});

describe('sending without a preflight', () => {
  it('returns the signature, whether the transaction lands or not', async () => {
    const world = await startWorld();
    const { network, payer, sendWire } = world;
    const skip = { skipPreflight: true, maxRetries: 0 };
    const failing = await sendWire(await signOverdraft(world), skip);
    expect(network.ledger.transaction(failing.result as string)?.err).toEqual({
      InstructionError: [0, { Custom: 1 }],
    });

    const wire = await signedTransfer(network, payer, await newAddress(), ONE_SOL);
    const unsigned = await sendWire(withBadSignature(wire), skip);
    expect(network.ledger.transaction(unsigned.result as string)).toBeUndefined();

    const transfer = getTransferSolInstruction({
      source: payer,
      destination: payer.address,
      amount: ONE_SOL,
    });
    const unlandable = await sendWire(
      await signedTransaction(payer, [transfer], { blockhash: payer.address }),
      skip,
    );
    expect(network.ledger.transaction(unlandable.result as string)).toBeUndefined();
  });

  it('is subject to faults: a dropped transaction has a signature and never lands', async () => {
    const { network, payer, sendWire } = await startWorld();
    network.faults.set({ dropTransactions: 1 });
    const wire = await signedTransfer(network, payer, await newAddress(), ONE_SOL);
    const { result } = await sendWire(wire);
    expect(network.ledger.transaction(result as string)).toBeUndefined();
    await sendWire(wire);
    expect(network.ledger.transaction(result as string)?.err).toBeNull();
  });
});
