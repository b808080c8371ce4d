import type { Address } from '@solana/kit';
import { PublicKey } from '@solana/web3.js';
import { getTransferSolInstruction } from '@solana-program/system';
import { describe, expect, it } from 'vitest';
import { signedTransfer } from '../../../tools/world/wallet.ts';
import { base64, newAddress, ONE_SOL, startWorld } from './world.ts';

describe('requestAirdrop', () => {
  it('sends a transaction of the faucet', async () => {
    const { web3 } = await startWorld();
    const receiver = new PublicKey(await newAddress());
    const signature = await web3.requestAirdrop(receiver, 2e9);
    expect(await web3.getBalance(receiver)).toBe(2e9);
    const parsed = await web3.getParsedTransaction(signature);
    expect(parsed?.transaction.message.instructions[1]).toMatchObject({
      parsed: { type: 'transfer', info: { destination: receiver.toBase58(), lamports: 2e9 } },
    });
  });

  it('sends the amount again for a repeated request', async () => {
    const { network, ask } = await startWorld({ slotMs: 250 });
    const receiver = await newAddress();
    const signatures = new Set<string>();
    for (let attempt = 0; attempt < 5; attempt += 1)
      signatures.add(await ask('requestAirdrop', receiver, 1e9));
    expect(signatures.size).toBe(5);
    expect(network.getAccount(receiver, 'processed')?.lamports).toBe(5n * ONE_SOL);
  });

  it('is not affected by faults of transactions and does not use them up', async () => {
    const { network, ask } = await startWorld({ slotMs: 250 });
    network.faults.set({ dropTransactions: 1, delayLandingSlots: 5 });
    const receiver = await newAddress();
    await ask('requestAirdrop', receiver, 1e9);
    expect(network.getAccount(receiver, 'processed')?.lamports).toBe(ONE_SOL);
    expect(network.faults.takeLandingDelay(0n)).toBe('drop');
  });

  it('uses the given blockhash', async () => {
    const { network, ask } = await startWorld();
    const { blockhash } = network.latestBlockhash('finalized');
    const signature = await ask<string>('requestAirdrop', await newAddress(), 1e9, {
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
  const COMPUTE_BUDGET = 'ComputeBudget111111111111111111111111111111' as Address;

  it.each(['legacy', 0, 1] as const)(
    'of a version %s message are returned before it is sent',
    async (version) => {
      const { network, payer, ask } = await startWorld();
      const wire = await signedTransfer(network, payer, await newAddress(), ONE_SOL, version);
      const message = version === 1 ? wire.slice(0, -64) : wire.slice(65);
      const fee = (commitment: string) => ask('getFeeForMessage', base64(message), { commitment });
      expect(await fee('confirmed')).toMatchObject({ value: 5000 });
      for (let block = 0; block < 151; block += 1) network.tick();
      expect(await fee('confirmed')).toMatchObject({ value: null });
    },
  );

  it('that were paid recently for writing an account are returned by slot', async () => {
    const { network, payer, land, ask } = await startWorld();
    const receiver = await newAddress();
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

  it('are returned for at most 128 accounts', async () => {
    const { refusal, payer } = await startWorld();
    const addresses = Array.from({ length: 129 }, () => payer.address);
    expect(await refusal('getRecentPrioritizationFees', addresses)).toMatchObject({ code: -32602 });
  });
});
