import { address } from '@solana/kit';
import { getTransferSolInstruction } from '@solana-program/system';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { SYSTEM_PROGRAM } from '../../../../localnet/accounts.ts';
import { collectDue } from '../../../../src/domain/billing/collect/collect-due.ts';
import { settlePeriod } from '../../../../src/domain/billing/settle/settle-period.ts';
import { startWorld, type World } from '../../world.ts';

/** More transactions than one read returns. */
const MENTIONS = 60;

let world: World;
beforeAll(async () => {
  world = await startWorld();
  world.network.setAccount(world.chain.collector.address, {
    lamports: 1_000_000_000n,
    owner: SYSTEM_PROGRAM,
    data: new Uint8Array(),
    executable: false,
  });
  world.network.tick();
});
afterAll(() => world.close());

it('finds a transfer behind many transactions of strangers that name the subscription', async () => {
  const merchant = await world.newMerchant();
  const plan = await world.publishPlan(merchant);
  const subscription = await world.subscribe(merchant, plan, await world.newWallet());
  await collectDue(world.ctx, 'TEST');
  const stranger = await world.newWallet();
  for (let amount = 1; amount <= MENTIONS; amount++) {
    const destination = address(subscription.address);
    await world.act(stranger, getTransferSolInstruction({ source: stranger, destination, amount }));
  }
  const where = { subscriptionId: subscription.id };
  expect(await world.db.payment.findMany({ where })).toMatchObject([{ status: 'DUE' }]);
  const periodStart = subscription.chainCreatedAt;
  await settlePeriod(world.ctx, world.chain, { subscription, periodStart });
  expect(await world.db.payment.findMany({ where })).toMatchObject([{ status: 'SUCCEEDED', number: 1 }]);
});
