import { randomBytes } from 'node:crypto';
import { getRevokeInstruction, TOKEN_PROGRAM_ADDRESS } from '@solana-program/token';
import bs58 from 'bs58';
import { describe, expect, it } from 'vitest';
import { USDC_MINT } from '../../localnet/genesis.ts';
import { tokenAccountAddress } from '../../src/chain/accounts/addresses.ts';
import { collectDue, MAX_IN_FLIGHT } from '../../src/domain/billing/collect/collect-due.ts';
import { finalizePayments } from '../../src/domain/billing/settle/finalize-payments.ts';
import { settleWaitingTransfers } from '../../src/domain/billing/settle/settle-waiting-transfers.ts';
import { DAY, PRICE, type Subscriber, startWorld } from '../scenarios/world.ts';
import { sharedByFile } from '../support/shared-by-file.ts';

const world = await sharedByFile(startWorld());

const PAID_TWICE = ['created', 'payment_succeeded', 'payment_succeeded'];

const readRow = ({ id: address }: Subscriber) =>
  world.ctx.db.subscription.findFirstOrThrow({ where: { address } });
const findLogged = (words: string) => world.logged.filter(({ msg }) => msg.includes(words));

describe('upkeep', () => {
  it('makes a subscription due that is neither due nor in flight, with an alert', async () => {
    const customer = await world.renewing();
    const { id } = await readRow(customer);
    await world.ctx.db.subscription.update({ where: { id }, data: { nextAttemptAt: null } });
    await world.jump(DAY);
    await world.until('the customer has paid', () => world.receivedEvents(customer.id).length === 3);
    expect(findLogged('was stuck')).toMatchObject([{ subscription: customer.id }]);
    await world.quiet();
    expect(await world.tokensOf(customer.wallet.address)).toBe(98n * PRICE);
  });

  it('settles a transfer that was seen before its subscription was known', async () => {
    const customer = await world.renewing();
    await world.stopWorkers();
    const { chainCreatedAt, environment } = await readRow(customer);
    await world.jump(DAY);
    const transfer = { subscriptionAddress: customer.id, planAddress: customer.plan, amount: PRICE };
    const position = { signature: bs58.encode(randomBytes(64)), index: 0, slot: 1n, puller: null };
    const periodStart = chainCreatedAt + BigInt(DAY);
    await world.ctx.db.chainTransfer.create({ data: { ...transfer, ...position, environment, periodStart } });
    await settleWaitingTransfers(world.ctx, 'TEST');
    expect(await world.books(customer.id)).toMatchObject([{ number: 1 }, { number: 2, periodStart }]);
    await world.startWorkers();
    await world.quiet();
    expect(world.receivedEvents(customer.id)).toEqual(PAID_TWICE);
  });

  it('publishes that a payment became final', async () => {
    const { merchantId, environment } = world.scope;
    const messages = world.ctx.live.subscribe('payment.recorded', { merchantId, environment });
    const customer = await world.renewing();
    const [payment] = await world.books(customer.id);
    await world.until(
      'the payment is final',
      async () => (await world.books(customer.id))[0]?.finalized === true,
    );
    let received = 0;
    for await (const { paymentId } of messages) {
      if (paymentId === payment?.id) received += 1;
      // One message when it is settled, and one when it is final.
      if (received === 2) break;
    }
    expect(received).toBe(2);
  });

  it('reports a settled payment that is missing on chain once', async () => {
    const customer = await world.renewing();
    await world.stopWorkers();
    const [payment] = await world.books(customer.id);
    const unknownTransaction = {
      signature: bs58.encode(randomBytes(64)),
      finalized: false,
      paidAt: new Date(0),
    };
    await world.ctx.db.payment.update({ where: { id: payment?.id ?? '' }, data: unknownTransaction });
    await finalizePayments(world.ctx, 'TEST');
    await finalizePayments(world.ctx, 'TEST');
    expect(findLogged('no longer on chain')).toMatchObject([{ payment: payment?.id }]);
    await world.startWorkers();
  });
});

describe('collection', () => {
  it('adds no transactions while the maximum is in flight', async () => {
    const customer = await world.renewing();
    await world.stopWorkers();
    await world.ctx.db.$executeRaw`
      INSERT INTO "TransferTransaction" ("id", "environment", "signature", "wire", "lastValidBlockHeight", "createdAt")
      SELECT gen_random_uuid(), 'TEST', 'waits ' || n, '\\x00', 0, now() FROM generate_series(1, ${MAX_IN_FLIGHT}::int) n`;
    await world.jump(DAY);
    await collectDue(world.ctx, 'TEST');
    expect(await world.ctx.db.attempt.count({ where: { status: 'SUBMITTED' } })).toBe(0);
    expect(findLogged('too many transactions in flight')).toHaveLength(1);
    await world.ctx.db.transferTransaction.deleteMany({ where: { signature: { startsWith: 'waits ' } } });
    await world.startWorkers();
    await world.quiet();
    expect(world.receivedEvents(customer.id)).toEqual(PAID_TWICE);
  });

  it('fails no payer for a missing approval while the mirror is behind', async () => {
    const { wallet, id, state } = await world.renewing();
    await world.stopIndexer();
    await world.ctx.db.$executeRaw`UPDATE "StreamPosition" SET "heardAt" = now() - interval '2 minutes'`;
    const source = await tokenAccountAddress(wallet.address, USDC_MINT, TOKEN_PROGRAM_ADDRESS);
    await world.land(wallet, [getRevokeInstruction({ source, owner: wallet })]);
    await world.travel(DAY);
    expect(findLogged('approval missing but mirror behind')).not.toHaveLength(0);
    expect(await state()).toEqual({ state: 'active', failureCount: 0 });
    await world.startIndexer();
    await world.until('the mirror is current again', async () => {
      const rows = await world.ctx.db.$queryRaw<object[]>`
        SELECT 1 FROM "StreamPosition" WHERE "heardAt" > now() - interval '30 seconds'`;
      return rows.length === 1;
    });
    await world.travel(61);
    expect(await state()).toEqual({ state: 'past_due', failureCount: 1 });
    expect(world.receivedEvents(id).at(-1)).toBe('payment_failed');
  });
});
