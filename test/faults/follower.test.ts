import { randomBytes } from 'node:crypto';
import type { Signature } from '@solana/kit';
import { getTransferSolInstruction } from '@solana-program/system';
import { describe, expect, it } from 'vitest';
import { encodeBase58 } from '../../src/base58/base58.ts';
import { createChain } from '../../src/chain/create-chain.ts';
import { latestBlockhash, sendWire } from '../../src/chain/rpc/send.ts';
import { signatureOutcomes } from '../../src/chain/rpc/signature-outcomes.ts';
import { collectDue, MAX_IN_FLIGHT } from '../../src/domain/billing/collect/collect-due.ts';
import { followTransactions } from '../../src/domain/billing/follow/follow-transactions.ts';
import { Resends } from '../../src/domain/billing/follow/resends.ts';
import { signedTransaction } from '../../tools/world/wallet.ts';
import { alteredRpc } from '../chain/altered-rpc.ts';
import { DAY, startWorld } from '../scenarios/world.ts';
import { sharedByFile } from '../support/shared-by-file.ts';

/** A height that the chain does not reach. */
const UNDECIDED = 1n << 40n;

// Blockhashes are valid for seven seconds: time for two resends.
const world = await sharedByFile(startWorld({ slotMs: 50 }));
const customer = await world.renewing();
await world.stopWorkers();
// The indexer would also settle landed transactions.
await world.stopIndexer();

const countPayments = async () => (await world.books(customer.id)).length;
const countOpenTransactions = () =>
  world.ctx.db.transferTransaction.count({ where: { status: 'SUBMITTED' } });

describe('the follower', () => {
  it('follows all open transactions, even if many older ones are undecided', async () => {
    await world.jump(DAY);
    await collectDue(world.ctx, 'TEST');
    const signed = await world.ctx.db.transferTransaction.findFirstOrThrow({
      where: { status: 'SUBMITTED' },
    });
    await world.ctx.db.transferTransaction.createMany({
      data: Array.from({ length: MAX_IN_FLIGHT }, () => ({
        environment: 'TEST' as const,
        signature: encodeBase58(randomBytes(64)),
        wire: new Uint8Array(1),
        lastValidBlockHeight: UNDECIDED,
        createdAt: new Date(signed.createdAt.getTime() - 1_000),
      })),
    });
    const resends = new Resends();
    await world.until('the newest is settled', async () => {
      await followTransactions(world.ctx, 'TEST', resends);
      return (await countOpenTransactions()) === MAX_IN_FLIGHT;
    });
    expect(await countPayments()).toBe(2);
    await world.ctx.db.transferTransaction.deleteMany({ where: { lastValidBlockHeight: UNDECIDED } });
  });

  it('resends an unseen transaction every two seconds', async () => {
    await world.jump(DAY);
    // When it is first sent, and when it is resent two seconds later.
    world.setFaults({ dropTransactions: 2 });
    await collectDue(world.ctx, 'TEST');
    const resends = new Resends();
    await world.until('the transaction has landed and is settled', async () => {
      await followTransactions(world.ctx, 'TEST', resends);
      return (await countOpenTransactions()) === 0;
    });
    expect(await countPayments()).toBe(3);
    const sent = await world.ctx.db.transferTransaction.findMany({ orderBy: { createdAt: 'desc' } });
    expect(sent.map(({ status }) => status)).toEqual(['LANDED', 'LANDED', 'LANDED']);
  });

  it('resends a transaction while another one, which failed, waits for a slow node', async () => {
    const failing = await landFailingTransaction();
    await world.ctx.db.transferTransaction.create({
      data: {
        environment: 'TEST',
        signature: failing,
        wire: new Uint8Array(1),
        lastValidBlockHeight: UNDECIDED,
        createdAt: world.ctx.clock.now(),
      },
    });
    const released = Promise.withResolvers<void>();
    const rpcUrl = await alteredRpc(world.chain.config.rpcUrl, async ({ method, params }) => {
      if (method === 'getTransaction' && params[0] === failing) await released.promise;
    });
    const chain = await createChain('TEST', { ...world.chain.config, rpcUrl });
    await world.jump(DAY);
    world.setFaults({ dropTransactions: 1 });
    await collectDue(world.ctx, 'TEST');
    const { signature } = await world.ctx.db.transferTransaction.findFirstOrThrow({
      where: { status: 'SUBMITTED', signature: { not: failing } },
    });
    const following = followTransactions({ ...world.ctx, chain: { TEST: chain } }, 'TEST');
    await world.until('the resent transaction has landed', async () => {
      const outcomes = await signatureOutcomes(world.chain, [signature as Signature]);
      return outcomes.get(signature as Signature)?.state === 'landed';
    });
    released.resolve();
    await following;
    await world.until('both are settled', async () => {
      await followTransactions(world.ctx, 'TEST');
      return (await countOpenTransactions()) === 0;
    });
    expect(await countPayments()).toBe(4);
  });
});

/** Lands a transaction with an error, and returns its signature. */
async function landFailingTransaction(): Promise<Signature> {
  const { wallet } = customer;
  const transfer = getTransferSolInstruction({
    source: wallet,
    destination: wallet.address,
    amount: 1n << 60n,
  });
  const { blockhash } = await latestBlockhash(world.chain);
  const signature = await sendWire(world.chain, await signedTransaction(wallet, [transfer], { blockhash }));
  await world.until('the transaction has failed', async () => {
    const outcome = (await signatureOutcomes(world.chain, [signature])).get(signature);
    return outcome?.state === 'landed' && outcome.commitment !== 'processed';
  });
  return signature;
}
