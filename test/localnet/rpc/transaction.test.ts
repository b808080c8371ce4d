import { address, getBase58Decoder, getBase64Encoder, type Signature } from '@solana/kit';
import { createMint, getOrCreateAssociatedTokenAccount, mintTo } from '@solana/spl-token';
import { getTransferSolInstruction } from '@solana-program/system';
import { describe, expect, it } from 'vitest';
import { parseTransaction } from '../../../localnet/transaction.ts';
import {
  finalizeAll,
  landFailure,
  MEMO_PROGRAM,
  memo,
  newAddress,
  ONE_SOL,
  otherSignature,
  startTransferWorld,
  startWorld,
} from './world.ts';

const SYSTEM_PROGRAM = '11111111111111111111111111111111';
const CONFIRMED = { commitment: 'confirmed' };

describe('getTransaction', () => {
  it('returns a transaction with all its effects', async () => {
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

  it('returns the wire bytes on request', async () => {
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

  it('returns an instruction parsed if its program is known, otherwise unparsed', async () => {
    const { kit, payer, land } = await startWorld();
    const receiver = await newAddress();
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

  it('returns inner instructions, and token balances before and after', async () => {
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

  it('returns the error of a failed transaction', async () => {
    const world = await startWorld();
    const signature = await landFailure(world);
    const err = { InstructionError: [0, { Custom: 1 }] };
    const transaction = await world.web3.getTransaction(signature, { maxSupportedTransactionVersion: 0 });
    expect(transaction?.meta).toMatchObject({ err, status: { Err: err }, fee: 5000 });
  });

  it('returns null until the commitment is reached, or if it never landed', async () => {
    const { network, ask, signature } = await startTransferWorld();
    const config = { maxSupportedTransactionVersion: 0 };
    expect(await ask('getTransaction', signature, config)).toBeNull();
    finalizeAll(network);
    expect(await ask('getTransaction', signature, config)).toMatchObject({ version: 0 });
    expect(await ask('getTransaction', otherSignature(signature), config)).toBeNull();
  });

  it('returns a version only to clients that support it', async () => {
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

  it('returns the limits of a version 1 message', async () => {
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
    const encoded = await kit
      .getTransaction(signature as Signature, { ...config, encoding: 'base64' })
      .send();
    const wire = getBase64Encoder().encode(encoded?.transaction[0] as string);
    expect(parseTransaction(wire as Uint8Array).signatures).toEqual([signature]);
  });

  it('refuses the commitment processed', async () => {
    const { refusal, signature, receiver } = await startTransferWorld();
    const refused = { code: -32602, message: 'Method does not support commitment below `confirmed`' };
    const config = { commitment: 'processed' };
    expect(await refusal('getTransaction', signature, config)).toEqual(refused);
    expect(await refusal('getSignaturesForAddress', receiver, config)).toEqual(refused);
    expect(await refusal('getBlock', 1, config)).toEqual(refused);
    expect(await refusal('getBlocks', 1, 2, config)).toEqual(refused);
  });
});
