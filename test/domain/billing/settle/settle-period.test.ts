import { address } from '@solana/kit';
import { getTransferSolInstruction } from '@solana-program/system';
import { expect, it } from 'vitest';
import { inChunks } from '../../../../src/async/in-chunks.ts';
import { createChain } from '../../../../src/chain/create-chain.ts';
import { latestBlockhash, sendWire } from '../../../../src/chain/rpc/send.ts';
import { collectDue } from '../../../../src/domain/billing/collect/collect-due.ts';
import { settlePeriod, TRANSACTIONS_PER_CALL } from '../../../../src/domain/billing/settle/settle-period.ts';
import { signedTransaction } from '../../../../tools/world/wallet.ts';
import { alteredRpc } from '../../../chain/altered-rpc.ts';
import { sharedByFile } from '../../../support/shared-by-file.ts';
import { startWorld } from '../../world.ts';

const world = await sharedByFile(startWorld());
world.fund(world.chain.collector.address, 1_000_000_000n);

/** A payment that is pulled on chain but not settled, and then mentioned by strangers. */
async function collectAndMention(mentions: number) {
  const merchant = await world.newMerchant();
  const plan = await world.publishPlan(merchant);
  const subscription = await world.subscribe(merchant, plan, await world.newWallet());
  await collectDue(world.ctx, 'TEST');
  const stranger = await world.newWallet();
  const destination = address(subscription.address);
  for (const batch of inChunks([...Array(mentions).keys()], 50)) {
    const { blockhash } = await latestBlockhash(world.chain);
    for (const amount of batch) {
      const mention = getTransferSolInstruction({
        source: stranger,
        destination,
        amount: BigInt(amount) + 1n,
      });
      await sendWire(world.chain, await signedTransaction(stranger, [mention], { blockhash }));
    }
    world.network.tick();
  }
  const where = { subscriptionId: subscription.id };
  return {
    search: (ctx = world.ctx, chain = world.chain) =>
      settlePeriod(ctx, chain, { subscription, periodStart: subscription.chainCreatedAt, ordinal: 0 }),
    readPayments: () => world.db.payment.findMany({ where }),
  };
}

it('finds a transfer behind many transactions of strangers', async () => {
  const { search, readPayments } = await collectAndMention(60);
  expect(await readPayments()).toMatchObject([{ status: 'DUE' }]);
  await search();
  expect(await readPayments()).toMatchObject([{ status: 'SUCCEEDED', number: 1 }]);
});

it('reads a limited number of transactions per call, and then continues', async () => {
  const { search, readPayments } = await collectAndMention(TRANSACTIONS_PER_CALL + 10);
  const reads: string[] = [];
  const rpcUrl = await alteredRpc(world.chain.config.rpcUrl, ({ method }) => void reads.push(method));
  const chain = await createChain('TEST', { ...world.chain.config, rpcUrl });
  await search(world.ctx, chain);
  expect(reads.filter((method) => method === 'getTransaction')).toHaveLength(TRANSACTIONS_PER_CALL);
  expect(await readPayments()).toMatchObject([{ status: 'DUE' }]);
  await search();
  expect(await readPayments()).toMatchObject([{ status: 'SUCCEEDED', number: 1 }]);
});
