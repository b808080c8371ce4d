/** The database is replaced by a copy from before, as after a failover that lost the newest rows. */
import type { Address } from '@solana/kit';
import { getTransferInstruction, TOKEN_PROGRAM_ADDRESS } from '@solana-program/token';
import { beforeAll, describe, expect, it } from 'vitest';
import { USDC_MINT } from '../../localnet/genesis.ts';
import { receivingAddresses } from '../../src/chain/accounts/receiving-accounts.ts';
import { cancelRefund } from '../../src/domain/billing/refund/cancel-refund.ts';
import { finalizePayments } from '../../src/domain/billing/settle/finalize-payments.ts';
import { beginTimeline } from '../../src/domain/maintenance/after-restore/begin-timeline.ts';
import { unknownRefunds } from '../../src/domain/maintenance/after-restore/unknown-refunds.ts';
import { unknownSubscriptions } from '../../src/domain/maintenance/after-restore/unknown-subscriptions.ts';
import { checkRows } from '../../src/domain/maintenance/books-check/rows/check-rows.ts';
import { eventCursor } from '../../src/domain/messages/event/event-cursor.ts';
import { sharedByFile } from '../support/shared-by-file.ts';
import { copyDatabase, putCopyBack } from './copied-database.ts';
import { type Checkout, DAY, PRICE, type Subscriber, startWorld, type Webhook } from './world.ts';

const world = await sharedByFile(startWorld());
let paying: Subscriber;
let refunded: string;
/** The refund that is sent in the lost time. */
let sentId: string;
let laterId: string;
/** A payment of which one refund is cancelled in the lost time, and the next one is sent. */
let refundedLater: string;
const CANCELLED = '1000000';
const SENT = '1500000';
let late: Checkout;
/** Subscribes through a checkout that begins in the lost time. */
let unknown: Subscriber;
/** What the merchant has kept of the lost time. */
const REFUND = '2000000';
const COPIED_AT = new Date('2026-11-01T12:00:00Z');
/** The first event that a client gets which continues, before anything new has happened. */
let told: Promise<string[]>;
let kept: { webhooks: readonly Webhook[]; receipts: Map<number, string>; cursor: string };

const isSettled = async (id: string) => (await world.backend.refund(id)).status === 'SUCCEEDED';
const received = () => world.receiver.received.map(({ body }) => JSON.parse(body) as Webhook);

async function receipts(): Promise<Map<number, string>> {
  const rows = await world.ctx.db.receipt.findMany();
  return new Map(rows.map(({ number, paymentId }) => [number, paymentId]));
}

async function finalizeAll(): Promise<void> {
  await world.until('the payments are final', async () => {
    await finalizePayments(world.ctx, 'TEST');
    return (await world.ctx.db.payment.count({ where: { status: 'SUCCEEDED', receiptNumber: null } })) === 0;
  });
}

/** The cursor of the newest event, as a live client keeps it. */
async function lastCursor(): Promise<string> {
  const { _max: newest } = await world.ctx.db.event.aggregate({ _max: { position: true } });
  return eventCursor(world.scope, newest.position ?? 0n);
}

/** The ids of the first events that a live client gets after a cursor. */
async function eventsAfter(cursor: string, count: number): Promise<string[]> {
  const answer = await fetch(`${world.apiUrl}/graphql`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${world.apiKey}`,
      'content-type': 'application/json',
      accept: 'text/event-stream',
    },
    body: JSON.stringify({
      query: 'subscription ($after: String) { events(after: $after) { id } }',
      variables: { after: cursor },
    }),
  });
  let text = '';
  for await (const chunk of answer.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += chunk;
    const ids = [...text.matchAll(/"id":"([^"]+)"/g)].map(([, id]) => id ?? '');
    if (ids.length >= count) return ids;
  }
  throw new Error(`the stream ended after ${text}`);
}

/** Moves all tokens of the merchant into a second receiving account, which the database will not know. */
async function moveToSecondAccount(): Promise<void> {
  const { merchantWallet: owner } = world;
  const asset = { owner: owner.address, mint: USDC_MINT, tokenProgram: TOKEN_PROGRAM_ADDRESS };
  const [source, destination] = (await receivingAddresses(asset, 2)) as [Address, Address];
  const mint: string = USDC_MINT;
  await world.graphql('mutation ($mint: String!) { setReceivingAccounts(mint: $mint, count: 2) { count } }', {
    mint,
  });
  const { receivingAccountsTransaction } = await world.graphql<{
    receivingAccountsTransaction: { transaction: string };
  }>('mutation ($mint: String!) { receivingAccountsTransaction(mint: $mint) { transaction } }', { mint });
  await world.sign(owner, receivingAccountsTransaction.transaction);
  const amount = await world.tokensOf(owner.address);
  await world.land(owner, [getTransferInstruction({ source, destination, authority: owner, amount })]);
}

beforeAll(async () => {
  const planId = await world.plan();
  paying = await world.subscriber(planId);
  late = await world.checkout(planId);
  const withTrial = await world.plan({ trial: 30 * DAY });
  // The session knows the wallet, which signs later.
  await fetch(`${world.apiUrl}/api/checkout/${late.sessionId}/transaction`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ userWallet: late.subscriber.wallet.address }),
  });
  await world.quiet();
  await finalizeAll();
  await world.stopWorkers();
  await world.mirrored();
  await world.stopIndexer();
  await copyDatabase(world.ctx.db);
  // The time that is lost: a renewal, and a new customer who pays once.
  await world.startIndexer();
  await world.startWorkers();
  await late.complete(await late.approve());
  unknown = await world.subscriber(withTrial);
  await world.quiet();
  await world.travel(DAY);
  await finalizeAll();
  refunded = (await world.books(paying.id))[0]?.id ?? '';
  const refund = await world.backend.createRefund({ paymentId: refunded, amount: REFUND });
  sentId = refund.id;
  await world.sign(world.merchantWallet, await world.backend.refundTransaction(refund.id));
  await world.until('the refund is settled', () => isSettled(refund.id));
  refundedLater = (await world.books(paying.id))[1]?.id ?? '';
  const given = await world.backend.createRefund({ paymentId: refundedLater, amount: CANCELLED });
  await cancelRefund(world.ctx, world.scope, given.id);
  const later = await world.backend.createRefund({ paymentId: refundedLater, amount: SENT });
  await moveToSecondAccount();
  laterId = later.id;
  await world.sign(world.merchantWallet, await world.backend.refundTransaction(later.id));
  await world.until('the second refund is settled', () => isSettled(later.id));
  await world.quiet();
  kept = { webhooks: received(), receipts: await receipts(), cursor: await lastCursor() };
  await world.stopWorkers();
  await world.mirrored();
  await world.stopIndexer();
  await putCopyBack(world.ctx.db);
  await beginTimeline(world.ctx, ['TEST'], COPIED_AT);
  told = eventsAfter(kept.cursor, 1);
});

describe('after the database came back without its newest rows', () => {
  it('nothing is collected before the chain was read', async () => {
    await world.jump(DAY);
    await world.startWorkers();
    await world.until('the worker knows how far to read', async () => {
      const known = { environment: 'TEST', readAt: null, slot: { not: null } } as const;
      return (await world.ctx.db.databaseTimeline.count({ where: known })) === 1;
    });
    expect(await world.ctx.db.transferTransaction.count({ where: { status: 'SUBMITTED' } })).toBe(0);
    expect(await world.books(paying.id)).toHaveLength(1);
  });

  it('then each period is charged once', async () => {
    await world.startIndexer();
    await world.until('the chain was read', async () => {
      const where = { environment: 'TEST', readAt: null } as const;
      return (await world.ctx.db.databaseTimeline.count({ where })) === 0;
    });
    await world.quiet();
    expect((await world.books(paying.id)).map(({ status }) => status)).toEqual(Array(3).fill('SUCCEEDED'));
    expect((await world.books(late.subscriber.id)).map(({ status }) => status)).toEqual(
      Array(3).fill('SUCCEEDED'),
    );
    expect(await world.tokensOf(world.merchantWallet.address)).toBe(
      6n * PRICE - BigInt(REFUND) - BigInt(SENT),
    );
  });

  it('the merchant sees each charge under one event and one payment', async () => {
    const charges = received().filter(({ event }) => event === 'subscription.payment_succeeded');
    const bySignature = Map.groupBy(charges, ({ data }) => `${data.signature} ${data.subscriptionId}`);
    expect(bySignature.size).toBe(6);
    for (const told of bySignature.values()) {
      expect(new Set(told.map(({ id, data }) => `${id} ${data.paymentId}`)).size).toBe(1);
    }
    const created = received().filter(({ event }) => event === 'subscription.created');
    expect(new Set(created.map(({ id }) => id)).size).toBe(3);
  });

  it('no sequence, position or receipt number is used again', async () => {
    const numbered = received().filter(({ sequence }) => sequence !== null);
    const bySequence = Map.groupBy(numbered, ({ data, sequence }) => `${data.subscriptionId} ${sequence}`);
    for (const same of bySequence.values()) expect(new Set(same.map(({ id }) => id)).size).toBe(1);
    await finalizeAll();
    const now = await receipts();
    const again = [...now].filter(([number, payment]) => (kept.receipts.get(number) ?? payment) !== payment);
    expect(again).toEqual([]);
    // Of the lost time: one payment of the first customer, and two of the second.
    expect(await world.ctx.db.voidReceipts.findMany({ select: { first: true, last: true } })).toEqual([
      { first: 2, last: 4 },
    ]);
    expect(now.size).toBe(6);
  });

  it('a kept cursor continues with the first event that the merchant has not seen', async () => {
    const seen = new Set(kept.webhooks.map(({ id }) => id));
    const unseen = new Set(received().flatMap(({ id }) => (seen.has(id) ? [] : [id])));
    expect(unseen.size).toBeGreaterThan(0);
    const count = await world.ctx.db.event.count({ where: { position: { gt: 2n ** 40n } } });
    const ids = await eventsAfter(kept.cursor, count);
    expect([...unseen].filter((id) => !ids.includes(id))).toEqual([]);
    expect((await told)[0]).toBe(ids[0]);
    expect(new Set(ids).size).toBe(count);
  });

  it('the merchant is told which time may be lost', () => {
    const told = received().filter(({ event }) => event === 'service.restored');
    expect(told.map(({ data }) => data)).toEqual([
      { lostFrom: COPIED_AT.toISOString(), lostUntil: expect.any(String) },
    ]);
  });

  it('a refund that was sent in the lost time is named, until it is requested again', async () => {
    expect(await unknownRefunds(world.ctx, {})).toEqual(
      [sentId, laterId].map((refundId) => ({ ...world.scope, refundId, signature: expect.any(String) })),
    );
  });

  it('a refund that was paid in the lost time is not paid again', async () => {
    const before = await world.tokensOf(world.merchantWallet.address);
    const refund = await world.backend.createRefund({ paymentId: refunded, amount: REFUND });
    await expect(world.backend.refundTransaction(refund.id)).rejects.toThrow('The refund was sent');
    await world.until('the transfer is found', () => isSettled(refund.id));
    expect((await unknownRefunds(world.ctx, {})).map(({ refundId }) => refundId)).toEqual([laterId]);
    expect(await world.tokensOf(world.merchantWallet.address)).toBe(before);
    await world.quiet();
    // Before and after, and once more for each attempt whose answer was not stored.
    const told = received().filter(
      ({ event, data }) => event === 'payment.refunded' && data.paymentId === refunded,
    );
    expect(new Set(told.map(({ data }) => data.refundId)).size).toBe(2);
    expect(new Set(told.map(({ id }) => id)).size).toBe(1);
  });

  it('nor is one that was requested after another, which was cancelled', async () => {
    const before = await world.tokensOf(world.merchantWallet.address);
    const request = (amount: string) => world.backend.createRefund({ paymentId: refundedLater, amount });
    await expect(request(CANCELLED)).rejects.toThrow(`request a refund of ${SENT} first`);
    const again = await request(SENT);
    await expect(world.backend.refundTransaction(again.id)).rejects.toThrow('The refund was sent');
    await world.until('the transfer is found', () => isSettled(again.id));
    expect(await unknownRefunds(world.ctx, {})).toEqual([]);
    expect(await world.tokensOf(world.merchantWallet.address)).toBe(before);
    const other = await request(CANCELLED);
    await world.sign(world.merchantWallet, await world.backend.refundTransaction(other.id));
    await world.until('the other refund is settled', () => isSettled(other.id));
    expect(await world.tokensOf(world.merchantWallet.address)).toBe(before - BigInt(CANCELLED));
  });

  it('a subscription whose checkout is lost is named, until its wallet signs a new one', async () => {
    const found = async () => {
      const all = [];
      for await (const subscription of unknownSubscriptions(world.ctx, {})) all.push(subscription);
      return all;
    };
    const plan = await world.ctx.db.plan.findFirstOrThrow({ where: { address: unknown.plan } });
    expect(await found()).toEqual([
      { ...world.scope, planId: plan.planId, address: unknown.id, walletAddress: unknown.wallet.address },
    ]);
    const { approve, complete } = await world.checkout(plan.planId, { wallet: unknown.wallet });
    await complete(await approve());
    expect((await unknown.state()).state).toBe('active');
    expect(await found()).toEqual([]);
  });

  it('once more, beside running processes, is noticed by the leader of the indexer', async () => {
    await beginTimeline(world.ctx, ['TEST'], new Date());
    await world.travel(DAY);
    expect((await world.books(paying.id)).map(({ status }) => status)).toEqual(Array(4).fill('SUCCEEDED'));
    const sequences = world.webhooks(paying.id).map(({ sequence }) => sequence);
    expect(
      new Set(sequences.filter((sequence) => sequence > 1_000).map((s) => Math.floor(s / 1_000))).size,
    ).toBe(2);
  });

  it('the books agree', async () => {
    const { merchantId } = world.scope;
    expect(await checkRows(world.ctx, { environment: 'TEST', merchantId })).toEqual([]);
  });
});
