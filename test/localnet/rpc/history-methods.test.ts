import {
  address,
  generateKeyPairSigner,
  getBase58Decoder,
  getBase64Encoder,
  type Instruction,
  type Signature,
} from '@solana/kit';
import { createMint, getOrCreateAssociatedTokenAccount, mintTo } from '@solana/spl-token';
import { PublicKey } from '@solana/web3.js';
import { getTransferSolInstruction } from '@solana-program/system';
import { describe, expect, it } from 'vitest';
import { parseTransaction } from '../../../localnet/transaction.ts';
import { signedTransfer } from '../../support/wallet.ts';
import { finalizeAll, ONE_SOL, startWorld, type World } from './world.ts';

const MEMO_PROGRAM = address('MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr');
const SYSTEM_PROGRAM = '11111111111111111111111111111111';
const CONFIRMED = { commitment: 'confirmed' };
const memo = (text: string): Instruction => ({
  programAddress: MEMO_PROGRAM,
  data: new TextEncoder().encode(text),
});

async function startTransferWorld(options: { version?: 'legacy' | 0 | 1 } = {}) {
  const world = await startWorld();
  const { address: receiver } = await generateKeyPairSigner();
  const signature = await world.transfer(receiver, ONE_SOL, options.version ?? 0);
  return { ...world, receiver, signature };
}

/** Lands a transfer of more than the payer has: it fails in its program. */
async function landFailure({ payer, land }: World): Promise<string> {
  const { address: receiver } = await generateKeyPairSigner();
  return land([getTransferSolInstruction({ source: payer, destination: receiver, amount: 10n ** 15n })]);
}

describe('getTransaction', () => {
  it('tells a transaction with all that it did', async () => {
    const { network, ask, payer, receiver, signature } = await startTransferWorld({ version: 'legacy' });
    const record = network.ledger.transaction(signature);
    expect(await ask('getTransaction', signature, CONFIRMED)).toEqual({
      slot: record?.slot,
      transaction: {
        signatures: [signature],
        message: {
          header: { numRequiredSignatures: 1, numReadonlySignedAccounts: 0, numReadonlyUnsignedAccounts: 1 },
          accountKeys: [payer.address, receiver, SYSTEM_PROGRAM],
          recentBlockhash: record?.transaction.blockhash,
          instructions: [{ programIdIndex: 2, accounts: [0, 1], data: expect.any(String), stackHeight: 1 }],
        },
      },
      meta: {
        err: null,
        status: { Ok: null },
        fee: 5000,
        preBalances: [100_000_000_000, 0, 1],
        postBalances: [98_999_995_000, 1_000_000_000, 1],
        preTokenBalances: [],
        postTokenBalances: [],
        innerInstructions: [],
        logMessages: [`Program ${SYSTEM_PROGRAM} invoke [1]`, `Program ${SYSTEM_PROGRAM} success`],
        rewards: [],
        loadedAddresses: { writable: [], readonly: [] },
        computeUnitsConsumed: 150,
      },
      blockTime: record?.blockTime,
      transactionIndex: 0,
    });
  });

  it('tells it in wire form where that is asked for', async () => {
    const { network, ask, signature } = await startTransferWorld();
    const wire = network.ledger.transaction(signature)?.transaction.wire as Uint8Array;
    const read = async (encoding: string) =>
      (
        await ask<{ transaction: unknown }>('getTransaction', signature, {
          ...CONFIRMED,
          encoding,
          maxSupportedTransactionVersion: 0,
        })
      ).transaction;
    expect(await read('base64')).toEqual([Buffer.from(wire).toString('base64'), 'base64']);
    expect(await read('base58')).toEqual([getBase58Decoder().decode(wire), 'base58']);
  });

  it('tells an instruction in words where it knows the program, else as it is', async () => {
    const { kit, payer, land } = await startWorld();
    const { address: receiver } = await generateKeyPairSigner();
    const signature = await land([
      getTransferSolInstruction({ source: payer, destination: receiver, amount: ONE_SOL }),
      memo('thanks'),
      {
        programAddress: address('ComputeBudget111111111111111111111111111111'),
        data: Uint8Array.of(2, 64, 66, 15, 0),
      },
    ]);
    const config = {
      encoding: 'jsonParsed',
      maxSupportedTransactionVersion: 0,
      commitment: 'confirmed',
    } as const;
    const transaction = await kit.getTransaction(signature as Signature, config).send();
    expect(transaction?.version).toBe(0);
    expect(transaction?.transaction.message.accountKeys).toMatchObject([
      { pubkey: payer.address, signer: true, writable: true, source: 'transaction' },
      { pubkey: receiver, signer: false, writable: true, source: 'transaction' },
      { signer: false, writable: false },
      { signer: false, writable: false },
      { signer: false, writable: false },
    ]);
    expect(transaction?.transaction.message.instructions).toEqual([
      {
        program: 'system',
        programId: SYSTEM_PROGRAM,
        parsed: {
          type: 'transfer',
          info: { source: payer.address, destination: receiver, lamports: ONE_SOL },
        },
        stackHeight: 1,
      },
      { program: 'spl-memo', programId: MEMO_PROGRAM, parsed: 'thanks', stackHeight: 1 },
      {
        programId: 'ComputeBudget111111111111111111111111111111',
        accounts: [],
        data: expect.any(String),
        stackHeight: 1,
      },
    ]);
  });

  it('tells what instructions called, and token balances before and after', async () => {
    const world = await startWorld();
    const { web3, ask } = world;
    const owner = world.fundedKeypair();
    const mint = await createMint(web3, owner, owner.publicKey, null, 6);
    const { address: account } = await getOrCreateAssociatedTokenAccount(web3, owner, mint, owner.publicKey);
    const minting = await mintTo(web3, owner, mint, account, owner, 2_500_000n);
    const [, creation] = await web3.getSignaturesForAddress(account);

    const created = await web3.getParsedTransaction(creation?.signature as string);
    const inner = created?.meta?.innerInstructions?.[0];
    expect(inner?.index).toBe(0);
    expect(
      inner?.instructions.map((i) => ('parsed' in i ? i.parsed.type : i.programId.toBase58())),
    ).toContain('createAccount');
    expect(inner?.instructions.map((i) => ('parsed' in i ? i.parsed.type : ''))).toContain(
      'initializeAccount3',
    );

    const raw = await ask<{ meta: { innerInstructions: { instructions: { stackHeight: number }[] }[] } }>(
      'getTransaction',
      creation?.signature,
      CONFIRMED,
    );
    expect(raw.meta.innerInstructions[0]?.instructions.every(({ stackHeight }) => stackHeight === 2)).toBe(
      true,
    );

    const { meta, transaction } = (await web3.getParsedTransaction(minting)) ?? {};
    expect(meta?.preTokenBalances).toMatchObject([{ uiTokenAmount: { amount: '0' } }]);
    expect(meta?.postTokenBalances).toEqual([
      {
        accountIndex: expect.any(Number),
        mint: mint.toBase58(),
        owner: owner.publicKey.toBase58(),
        programId: 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
        uiTokenAmount: { amount: '2500000', decimals: 6, uiAmount: 2.5, uiAmountString: '2.5' },
      },
    ]);
    expect(transaction?.message.instructions).toMatchObject([
      {
        program: 'spl-token',
        parsed: { type: 'mintTo', info: { account: account.toBase58(), amount: '2500000' } },
      },
    ]);
  });

  it('keeps the reason of a failure', async () => {
    const world = await startWorld();
    const signature = await landFailure(world);
    const err = { InstructionError: [0, { Custom: 1 }] };
    const transaction = await world.web3.getTransaction(signature, { maxSupportedTransactionVersion: 0 });
    expect(transaction?.meta).toMatchObject({ err, status: { Err: err }, fee: 5000 });
  });

  it('is null until the commitment has seen it, and for one that never landed', async () => {
    const { network, ask, signature } = await startTransferWorld();
    const config = { maxSupportedTransactionVersion: 0 };
    expect(await ask('getTransaction', signature, config)).toBeNull();
    finalizeAll(network);
    expect(await ask('getTransaction', signature, config)).toMatchObject({ version: 0 });
    expect(await ask('getTransaction', signature.replace(/.$/, '2'), config)).toBeNull();
  });

  it('speaks of versions only to clients that know them', async () => {
    const versions = { legacy: 'legacy', 0: 0, 1: 1 } as const;
    for (const version of Object.values(versions)) {
      const { call, signature } = await startTransferWorld({ version });
      for (const maxSupportedTransactionVersion of [undefined, 0, 1]) {
        const { result, error } = await call<{ version?: unknown }>('getTransaction', signature, {
          ...CONFIRMED,
          maxSupportedTransactionVersion,
        });
        if (version === 'legacy') {
          expect(result?.version).toBe(maxSupportedTransactionVersion === undefined ? undefined : 'legacy');
        } else if (version <= (maxSupportedTransactionVersion ?? -1)) {
          expect(result?.version).toBe(version);
        } else {
          expect(error).toEqual({
            code: -32015,
            message: `Transaction version (${version}) is not supported by the requesting client. Please try the request again with the following configuration parameter: "maxSupportedTransactionVersion": ${version}`,
          });
        }
      }
    }
  });

  it('shows the limits that a version 1 message carries', async () => {
    const { kit, signature } = await startTransferWorld({ version: 1 });
    const config = { maxSupportedTransactionVersion: 1, commitment: 'confirmed' } as const;
    const transaction = await kit
      .getTransaction(signature as Signature, { ...config, encoding: 'json' })
      .send();
    expect(transaction?.transaction.message).toMatchObject({
      transactionConfig: {
        computeUnitLimit: 400_000,
        loadedAccountsDataSizeLimit: 1_000_000,
        priorityFee: null,
        heapSize: null,
      },
    });
    const inWire = await kit.getTransaction(signature as Signature, { ...config, encoding: 'base64' }).send();
    const wire = getBase64Encoder().encode(inWire?.transaction[0] as string);
    expect(parseTransaction(wire as Uint8Array).signatures).toEqual([signature]);
  });

  it('does not speak of what is only processed', async () => {
    const { refusal, signature, receiver } = await startTransferWorld();
    const refused = { code: -32602, message: 'Method does not support commitment below `confirmed`' };
    const config = { commitment: 'processed' };
    expect(await refusal('getTransaction', signature, config)).toEqual(refused);
    expect(await refusal('getSignaturesForAddress', receiver, config)).toEqual(refused);
    expect(await refusal('getBlock', 1, config)).toEqual(refused);
    expect(await refusal('getBlocks', 1, 2, config)).toEqual(refused);
  });
});

describe('getSignatureStatuses', () => {
  it('tells how far a transaction has come', async () => {
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

  it('is merely processed while its slot lasts', async () => {
    const { network, ask, payer, sendWire } = await startWorld({ slotMs: 250 });
    const { address: receiver } = await generateKeyPairSigner();
    const { result } = await sendWire(await signedTransfer(network, payer, receiver, ONE_SOL));
    expect(await ask('getSignatureStatuses', [result])).toMatchObject({
      value: [{ confirmations: 0, confirmationStatus: 'processed' }],
    });
  });

  it('keeps the reason of a failure', async () => {
    const world = await startWorld();
    const err = { InstructionError: [0, { Custom: 1 }] };
    expect(await world.ask('getSignatureStatuses', [await landFailure(world)])).toMatchObject({
      value: [{ err, status: { Err: err } }],
    });
  });

  it('forgets after 300 slots what it then only finds in its history', async () => {
    const { network, ask, signature } = await startTransferWorld();
    network.travel({ slot: network.slot('processed') + 301 });
    expect(await ask('getSignatureStatuses', [signature])).toMatchObject({ value: [null] });
    expect(await ask('getSignatureStatuses', [signature], { searchTransactionHistory: true })).toMatchObject({
      value: [{ confirmationStatus: 'finalized' }],
    });
  });

  it('takes at most 256 signatures', async () => {
    const { ask, refusal, signature } = await startTransferWorld();
    const many = Array.from({ length: 256 }, () => signature);
    expect((await ask<{ value: unknown[] }>('getSignatureStatuses', many)).value).toHaveLength(256);
    expect(await refusal('getSignatureStatuses', [...many, signature])).toEqual({
      code: -32602,
      message: 'Too many inputs provided; max 256',
    });
  });
});

describe('getSignaturesForAddress', () => {
  it('lists newest first, between before and until, up to a limit', async () => {
    const { web3, transfer } = await startWorld();
    const { address: receiver } = await generateKeyPairSigner();
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
    expect(await list({ before: (first as string).replace(/.$/, '2') })).toEqual([]);
    expect(await list({ until: (first as string).replace(/.$/, '2') })).toHaveLength(5);
  });

  it('tells outcome, memo, time and commitment of each', async () => {
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
