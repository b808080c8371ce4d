import { type Address, address, getBase58Decoder, type KeyPairSigner } from '@solana/kit';
import { getTransferSolInstruction } from '@solana-program/system';
import { beforeEach, describe, expect, it } from 'vitest';
import { decodeSubscription } from '../../../src/chain/accounts/accounts.ts';
import { subscriptionAddress } from '../../../src/chain/accounts/addresses.ts';
import type { Chain } from '../../../src/chain/chain.ts';
import { NodeBehind } from '../../../src/chain/rpc/as-of.ts';
import { sendWire } from '../../../src/chain/rpc/send.ts';
import { sunsetPlanTransaction } from '../../../src/chain/transactions/plan-transactions.ts';
import { autoCompleteCheckout } from '../../../src/domain/checkout/completion/auto-complete-checkout.ts';
import {
  type CompleteCheckoutInput,
  completeCheckout,
} from '../../../src/domain/checkout/completion/complete-checkout.ts';
import { reportApproval } from '../../../src/domain/checkout/completion/report-approval.ts';
import { MAX_WAITING_SESSIONS } from '../../../src/domain/checkout/completion/waiting-checkouts.ts';
import { CreationHidden, findCreation } from '../../../src/domain/checkout/proof/account-creation.ts';
import { NotSeenYet } from '../../../src/domain/checkout/proof/not-seen-yet.ts';
import { expireSessions } from '../../../src/domain/checkout/session/expire-sessions.ts';
import { getPublicSession } from '../../../src/domain/checkout/session/get-checkout-session.ts';
import { transactionsToSign } from '../../../src/domain/checkout/signing/transactions-to-sign.ts';
import type { Plan } from '../../../src/generated/prisma/client.ts';
import { signAsWallet } from '../../../tools/world/wallet.ts';
import { aroundCalls } from '../../scenarios/around-calls.ts';
import { sharedByFile } from '../../support/shared-by-file.ts';
import { DAY, HOUR, invalid, refusal, startWorld } from '../world.ts';

let wallet: KeyPairSigner;
let sessionId: string;
let serial = 0;

const world = await sharedByFile(startWorld());
const merchant = await world.newMerchant();
const plan = await world.publishPlan(merchant);
beforeEach(async () => {
  wallet = await world.newWallet();
  sessionId = await openSession();
});

const openSession = (ofPlan = plan) =>
  world.openSession(merchant, ofPlan, {
    customerId: `customer-${++serial}`,
    successUrl: 'https://shop.example/thanks',
    metadata: { campaign: 'winter' },
  });
const complete = (input: CompleteCheckoutInput, session = sessionId) =>
  completeCheckout(world.ctx, session, input);
const refusalOf = (input: CompleteCheckoutInput, session = sessionId) => refusal(complete(input, session));
const statusOf = async (session = sessionId) => (await getPublicSession(world.ctx, session)).status;
const subscriptionsAt = (pda: Address) =>
  world.db.subscription.findMany({ where: { address: pda }, orderBy: { chainCreatedAt: 'asc' } });
/** The time after the end of its session in which a transaction may still land. */
const GRACE_SECONDS = 120;
const EXPIRED = { code: 'session_expired', param: 'sessionId' };
const UNKNOWN_SIGNATURE = getBase58Decoder().decode(new Uint8Array(64).fill(9));

describe('completing a checkout', () => {
  it('creates an active subscription whose first payment is due at once', async () => {
    const approved = await world.approve(sessionId, plan, wallet);
    expect(await complete(approved)).toEqual({
      sessionId,
      status: 'COMPLETED',
      subscriptionId: approved.subscriptionPda,
      redirectUrl: `https://shop.example/thanks?session_id=${sessionId}`,
    });
    const [subscription] = await subscriptionsAt(approved.subscriptionPda);
    const startedAt = new Date(world.network.unixSeconds() * 1000);
    expect(subscription).toMatchObject({
      status: 'ACTIVE',
      chainCreatedAt: BigInt(startedAt.getTime() / 1000),
      walletAddress: wallet.address,
      startedAt,
      nextPaymentAt: startedAt,
      nextAttemptAt: startedAt,
      metadata: { campaign: 'winter' },
    });
    const event = await world.db.event.findFirstOrThrow({
      where: { subscriptionId: subscription?.id ?? '' },
    });
    expect(event).toMatchObject({ type: 'subscription.created', sequence: 1 });
    expect(event.data).toEqual({
      sessionId,
      subscriptionId: approved.subscriptionPda,
      startedAt: startedAt.toISOString(),
      customer: {
        email: 'ada@example.com',
        customerId: `customer-${serial}`,
        walletAddress: wallet.address,
      },
      plan: { planId: 'pro', planName: 'Pro', amount: '5000000', interval: '86400' },
      metadata: { campaign: 'winter' },
    });
    expect(await world.historyOf(subscription?.id ?? '')).toEqual(['subscribed']);
    expect(await getPublicSession(world.ctx, sessionId)).toMatchObject({
      status: 'COMPLETED',
      subscriptionId: approved.subscriptionPda,
      redirectUrl: expect.stringContaining('session_id='),
    });
  });

  it('makes the first payment due at the end of a trial', async () => {
    const trial = await world.publishPlan(merchant, { planId: 'trial', trialPeriodSeconds: 7 * DAY + HOUR });
    const { startedAt, nextPaymentAt, nextAttemptAt } = await world.subscribe(merchant, trial, wallet);
    expect(nextPaymentAt.getTime() - startedAt.getTime()).toBe((7 * DAY + HOUR) * 1000);
    expect(nextAttemptAt).toEqual(nextPaymentAt);
  });

  it('waits for a transaction that no node has seen yet', async () => {
    const { transactions } = await transactionsToSign(world.ctx, sessionId, { userWallet: wallet.address });
    const { wire, signature } = await signAsWallet(wallet, transactions[0] ?? '');
    const { subscriptionPda } = await pdaOf(wallet, plan);
    const completing = complete({ subscriptionPda, userWallet: wallet.address, signature });
    await sendWire(world.chain, wire);
    expect((await completing).subscriptionId).toBe(subscriptionPda);
  });

  it('succeeds with a transaction requested in time that landed after the end', async () => {
    await world.travel(30 * 60 - 1);
    const { transactions } = await transactionsToSign(world.ctx, sessionId, { userWallet: wallet.address });
    await world.travel(6);
    await expireSessions(world.ctx);
    const signature = await world.sign(wallet, transactions[0] ?? '');
    const approved = { ...(await pdaOf(wallet, plan)), signature };
    expect(await statusOf()).toBe('EXPIRED');
    expect(await complete(approved)).toMatchObject({ status: 'COMPLETED' });
    expect(await subscriptionsAt(approved.subscriptionPda)).toHaveLength(1);
  });

  it('waits after its end for its wallet’s transaction that no node has seen', async () => {
    await world.travel(30 * 60 - 1);
    const { transactions } = await transactionsToSign(world.ctx, sessionId, { userWallet: wallet.address });
    await world.travel(6);
    const { wire, signature } = await signAsWallet(wallet, transactions[0] ?? '');
    const approved = { ...(await pdaOf(wallet, plan)), signature };
    expect(await refusalOf(approved)).toEqual({ code: 'session_expired', param: 'signature' });
    expect(await reportApproval(world.ctx, sessionId, approved)).toEqual({ status: 'CONFIRMING' });
    const stranger = await pdaOf(await world.newWallet(), plan);
    expect(await refusalOf({ ...stranger, signature })).toEqual(EXPIRED);
    expect(await refusalOf({ ...approved, signature: 'x' })).toEqual(EXPIRED);
    await expect(reportApproval(world.ctx, sessionId, { ...approved, signature: 'x' })).rejects.toMatchObject(
      EXPIRED,
    );
    await sendWire(world.chain, wire);
    expect(await reportApproval(world.ctx, sessionId, approved)).toMatchObject({ status: 'COMPLETED' });
  });

  it('succeeds long after the session’s end if the transaction was in time', async () => {
    const approved = await world.approve(sessionId, plan, wallet);
    // The customer also connects another wallet, and pays with the first one.
    const { address: userWallet } = await world.newWallet();
    await transactionsToSign(world.ctx, sessionId, { userWallet });
    await world.travel(DAY);
    await expireSessions(world.ctx);
    expect(await complete(approved)).toMatchObject({ status: 'COMPLETED' });
  });

  it('returns the same result to a repeated call, even after the session’s end', async () => {
    const approved = await world.approve(sessionId, plan, wallet);
    const first = await complete(approved);
    expect(await complete(approved)).toEqual(first);
    await world.travel(HOUR);
    await expireSessions(world.ctx);
    expect(await complete(approved)).toEqual(first);
    expect(await subscriptionsAt(approved.subscriptionPda)).toHaveLength(1);
  });

  it('refuses a transaction that was built for another checkout', async () => {
    const approved = await world.approve(sessionId, plan, wallet);
    const otherSession = await openSession();
    await transactionsToSign(world.ctx, otherSession, { userWallet: wallet.address }).catch(() => undefined);
    expect(await refusalOf(approved, otherSession)).toEqual(invalid('signature'));
    expect(await statusOf(otherSession)).toBe('OPEN');
    expect((await complete(approved)).sessionId).toBe(sessionId);
  });

  it('creates one subscription and one event with concurrent calls', async () => {
    const approved = await world.approve(sessionId, plan, wallet);
    const answers = await Promise.all([
      ...Array.from({ length: 6 }, () => complete(approved)),
      world.mirror(approved.subscriptionPda),
    ]);
    expect(new Set(answers.filter(Boolean).map((answer) => JSON.stringify(answer))).size).toBe(1);
    const [subscription, ...others] = await subscriptionsAt(approved.subscriptionPda);
    expect(others).toEqual([]);
    expect(await world.eventsOf(subscription?.id ?? '')).toEqual(['subscription.created']);
  });

  it('gives the subscription to one of two sessions that complete at the same time', async () => {
    const approved = await world.approve(sessionId, plan, wallet);
    const other = await openSession();
    const outcomes = await Promise.allSettled([complete(approved), complete(approved, other)]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(await subscriptionsAt(approved.subscriptionPda)).toHaveLength(1);
  });

  it('finds a returning customer, and stores the merchant’s newest id', async () => {
    const second = await world.publishPlan(merchant, { planId: `second-${++serial}` });
    const first = await world.subscribe(merchant, plan, wallet, { customerId: 'old' });
    const next = await world.subscribe(merchant, second, wallet, { customerId: 'new' });
    expect(next.customerId).toBe(first.customerId);
    const customer = await world.db.customer.findUniqueOrThrow({ where: { id: first.customerId } });
    expect(customer.customerId).toBe('new');
  });

  it('applies a cancellation that the mirror has already seen', async () => {
    const approved = await world.approve(sessionId, plan, wallet);
    await world.onChain.cancel(wallet, plan);
    const { data, slot } = await world.see(approved.subscriptionPda);
    await world.onChain.resume(wallet, plan);
    const row = { data: Buffer.from(data ?? []), slot: slot + 100n, writeVersion: 1n };
    await world.db.chainAccount.create({
      data: { environment: 'TEST', address: approved.subscriptionPda, ...row },
    });
    await complete(approved);
    const [subscription] = await subscriptionsAt(approved.subscriptionPda);
    expect(subscription?.status).toBe('CANCELLED');
  });
});

describe('completing a checkout is refused', () => {
  it('for a session that is unknown, or has expired before its customer signed', async () => {
    const { transactions } = await transactionsToSign(world.ctx, sessionId, { userWallet: wallet.address });
    const { signature } = await signAsWallet(wallet, transactions[0] ?? '');
    const approved = { ...(await pdaOf(wallet, plan)), signature };
    expect(await refusalOf(approved, 'cs_unknown')).toEqual({ code: 'not_found', param: 'sessionId' });
    await world.travel(30 * 60 + GRACE_SECONDS + 1);
    expect(await refusalOf(approved)).toEqual(EXPIRED);
    await expireSessions(world.ctx);
    expect(await refusalOf(approved)).toEqual(EXPIRED);
    expect(await refusalOf({ ...approved, signature: 'x' })).toEqual(EXPIRED);
  });

  it('for a transaction that landed too long after the session’s end', async () => {
    await transactionsToSign(world.ctx, sessionId, { userWallet: wallet.address });
    await world.travel(30 * 60 + GRACE_SECONDS + 1);
    expect(await refusalOf(await world.approveUnmarked(merchant, plan, wallet))).toEqual(EXPIRED);
    expect(await statusOf()).toBe('EXPIRED');
  });

  it('for an invalid address or signature', async () => {
    const approved = await world.approve(sessionId, plan, wallet);
    expect(await refusalOf({ ...approved, subscriptionPda: 'x' })).toEqual(invalid('subscriptionPda'));
    expect(await refusalOf({ ...approved, userWallet: '' })).toEqual(invalid('userWallet'));
    expect(await refusalOf({ ...approved, signature: 'x' })).toEqual(invalid('signature'));
  });

  it('for another customer’s subscription, another wallet, and another plan', async () => {
    const approved = await world.approve(sessionId, plan, wallet);
    const other = await world.newWallet();
    expect(await refusalOf({ ...approved, userWallet: other.address })).toEqual(invalid('subscriptionPda'));
    const { subscriptionPda } = await pdaOf(other, plan);
    expect(await refusalOf({ ...approved, subscriptionPda })).toEqual(invalid('subscriptionPda'));
    const cheap = await world.publishPlan(merchant, { planId: `cheap-${++serial}`, amount: 1n });
    const cheapSession = await openSession(cheap);
    expect(await refusalOf(await world.approve(cheapSession, cheap, wallet))).toEqual(
      invalid('subscriptionPda'),
    );
  });

  it('for an unknown signature', async () => {
    const { subscriptionPda } = await pdaOf(wallet, plan);
    const forged = { subscriptionPda, userWallet: wallet.address, signature: UNKNOWN_SIGNATURE };
    expect(await refusalOf(forged)).toEqual(invalid('signature'));
  });

  it('for a transaction that failed', async () => {
    const first = await transactionsToSign(world.ctx, sessionId, { userWallet: wallet.address });
    world.network.tick();
    const second = await transactionsToSign(world.ctx, sessionId, { userWallet: wallet.address });
    await world.sign(wallet, first.transactions[0] ?? '');
    // With another blockhash it is another transaction. The chain refuses it, because the wallet is
    // already subscribed.
    const { wire, signature } = await signAsWallet(wallet, second.transactions[0] ?? '');
    await sendWire(world.chain, wire);
    const { subscriptionPda } = await pdaOf(wallet, plan);
    expect(await refusalOf({ subscriptionPda, userWallet: wallet.address, signature })).toEqual(
      invalid('signature'),
    );
  });

  it('for a transaction that does not name the subscription, or did not create it', async () => {
    const approved = await world.approve(sessionId, plan, wallet);
    const stranger = await world.newWallet();
    const { signature: foreign } = await world.approve(await openSession(), plan, stranger);
    expect(await refusalOf({ ...approved, signature: foreign })).toEqual(invalid('signature'));
    await world.onChain.cancel(wallet, plan);
    const resumed = await world.onChain.resume(wallet, plan);
    expect(await refusalOf({ ...approved, signature: resumed })).toEqual(invalid('signature'));
    expect((await complete(approved)).status).toBe('COMPLETED');
  });

  it('for a subscription that is cancelled, or closed', async () => {
    const approved = await world.approveUnmarked(merchant, plan, wallet);
    await world.onChain.cancel(wallet, plan);
    expect(await refusalOf(approved)).toEqual(invalid('subscriptionPda'));
    await world.travel(DAY);
    await world.onChain.close(wallet, plan);
    expect(await refusalOf(approved, await openSession())).toEqual(invalid('subscriptionPda'));
    expect(await subscriptionsAt(approved.subscriptionPda)).toEqual([]);
  });

  it('for the transaction of an earlier subscription at the address', async () => {
    const first = await world.approve(sessionId, plan, wallet);
    await world.onChain.cancel(wallet, plan);
    await world.travel(DAY + 17);
    await world.onChain.close(wallet, plan);
    const next = await openSession();
    const second = await world.approve(next, plan, wallet);
    expect(second.subscriptionPda).toBe(first.subscriptionPda);
    expect(await refusalOf(first, next)).toEqual(invalid('signature'));
    expect((await complete(second, next)).status).toBe('COMPLETED');
  });

  it('for another session’s subscription, or other values after completion', async () => {
    const approved = await world.approveUnmarked(merchant, plan, wallet);
    const other = await openSession();
    await complete(approved);
    expect(await refusalOf(approved, other)).toEqual(invalid('subscriptionPda'));
    expect(await statusOf(other)).toBe('OPEN');
    const stranger = await world.newWallet();
    const foreign = await world.approve(await openSession(), plan, stranger);
    expect(await refusalOf(foreign)).toEqual(invalid('subscriptionPda'));
    expect(await refusalOf({ ...approved, userWallet: stranger.address })).toEqual(invalid('userWallet'));
    expect(await refusalOf({ ...approved, signature: foreign.signature })).toEqual(invalid('signature'));
  });

  it('if the plan closed before the customer signed, but not if in time', async () => {
    const closing = await world.publishPlan(merchant, { planId: `closing-${++serial}` });
    const [inTime, late] = [await openSession(closing), await openSession(closing)];
    const approved = await world.approve(inTime, closing, wallet);
    const { address: owner } = merchant.wallet;
    const endsAt = BigInt(world.network.unixSeconds() + 2 * DAY);
    const sunset = await sunsetPlanTransaction(world.chain, {
      owner,
      plan: address(closing.address),
      endsAt,
    });
    const signature = await world.sign(merchant.wallet, sunset);
    await world.mirror(closing.address);
    const other = await pdaOf(await world.newWallet(), closing);
    expect(await refusalOf({ ...other, signature }, late)).toEqual({
      code: 'plan_inactive',
      param: undefined,
    });
    // This transaction may have been sent in time.
    expect(await refusalOf({ ...other, signature: UNKNOWN_SIGNATURE }, late)).toEqual(invalid('signature'));
    expect((await complete(approved, inTime)).status).toBe('COMPLETED');
  });

  it('if the plan has ended', async () => {
    const ending = await world.publishPlan(merchant, { planId: `ending-${++serial}` });
    const session = await openSession(ending);
    const approved = await world.approve(session, ending, wallet);
    await world.db.plan.update({ where: { id: ending.id }, data: { endsAt: world.ctx.clock.now() } });
    expect(await refusalOf(approved, session)).toEqual({ code: 'plan_inactive', param: undefined });
  });
});

describe('a session whose app stopped after signing', () => {
  it('is completed when the mirror sees it, and a late call of the app succeeds', async () => {
    const approved = await world.approve(sessionId, plan, wallet);
    await world.mirror(approved.subscriptionPda);
    expect(await statusOf()).toBe('COMPLETED');
    await world.mirror(approved.subscriptionPda);
    const [subscription, ...others] = await subscriptionsAt(approved.subscriptionPda);
    expect(others).toEqual([]);
    expect(await world.eventsOf(subscription?.id ?? '')).toEqual(['subscription.created']);
    expect((await complete(approved)).subscriptionId).toBe(approved.subscriptionPda);
    expect(await refusalOf({ ...approved, signature: UNKNOWN_SIGNATURE })).toEqual(invalid('signature'));
  });

  it('is completed after its end if the customer was in time', async () => {
    const approved = await world.approve(sessionId, plan, wallet);
    await world.travel(3 * DAY);
    await expireSessions(world.ctx);
    await world.mirror(approved.subscriptionPda);
    expect(await statusOf()).toBe('COMPLETED');
    // The periods that ended before its completion are not collected.
    const [subscription] = await subscriptionsAt(approved.subscriptionPda);
    expect(subscription?.nextPaymentAt).toEqual(
      new Date((subscription?.startedAt.getTime() ?? 0) + 3 * DAY * 1000),
    );
  });

  it('stays expired if the customer was too late', async () => {
    await transactionsToSign(world.ctx, sessionId, { userWallet: wallet.address });
    await world.travel(30 * 60 + GRACE_SECONDS + 1);
    const { subscriptionPda } = await world.approveUnmarked(merchant, plan, wallet);
    await world.mirror(subscriptionPda);
    expect(await statusOf()).toBe('EXPIRED');
    expect(await subscriptionsAt(subscriptionPda)).toEqual([]);
    // The wallet can still subscribe: the next checkout uses the open subscription on chain.
    const next = await openSession();
    const approved = await world.approve(next, plan, wallet);
    expect(await complete(approved, next)).toMatchObject({ subscriptionId: subscriptionPda });
    const [subscription] = await subscriptionsAt(subscriptionPda);
    expect(subscription).toMatchObject({ status: 'ACTIVE', nextPaymentAt: subscription?.startedAt });
  });

  it('is completed by a transaction that landed just after its end', async () => {
    await world.travel(30 * 60 - 1);
    const { transactions } = await transactionsToSign(world.ctx, sessionId, { userWallet: wallet.address });
    const { subscriptionPda } = await pdaOf(wallet, plan);
    await world.travel(6);
    await expireSessions(world.ctx);
    await world.sign(wallet, transactions[0] ?? '');
    await world.mirror(subscriptionPda);
    expect(await statusOf()).toBe('COMPLETED');
  });

  it('is completed only by a transaction that was built for it', async () => {
    const other = await openSession();
    const approved = await world.approve(sessionId, plan, wallet);
    await world.db.checkoutSession.update({ where: { id: other }, data: { walletAddress: wallet.address } });
    await world.mirror(approved.subscriptionPda);
    expect([await statusOf(), await statusOf(other)]).toEqual(['COMPLETED', 'OPEN']);
  });

  it('stays open if two sessions have the wallet and the transaction names neither', async () => {
    const other = await openSession();
    for (const session of [sessionId, other]) {
      await transactionsToSign(world.ctx, session, { userWallet: wallet.address });
    }
    const approved = await world.approveUnmarked(merchant, plan, wallet);
    await world.mirror(approved.subscriptionPda);
    expect([await statusOf(), await statusOf(other)]).toEqual(['OPEN', 'OPEN']);
    expect((await complete(approved)).status).toBe('COMPLETED');
  });

  it('stays open if newer sessions of the same wallet hide those of others', async () => {
    await transactionsToSign(world.ctx, sessionId, { userWallet: wallet.address });
    await world.db.$executeRaw`
      INSERT INTO "CheckoutSession" ("id", "merchantId", "environment", "planId", "customerEmail",
        "walletAddress", "createdAt", "expiresAt")
      SELECT 'cs_hiding_' || i || "id", "merchantId", "environment", "planId", 'mallory@example.com',
        "walletAddress", "createdAt" + i * interval '1 millisecond', "expiresAt"
      FROM "CheckoutSession", generate_series(1, ${MAX_WAITING_SESSIONS}::int) AS i WHERE "id" = ${sessionId}`;
    const approved = await world.approveUnmarked(merchant, plan, wallet);
    await world.mirror(approved.subscriptionPda);
    expect(await subscriptionsAt(approved.subscriptionPda)).toEqual([]);
    expect((await complete(approved)).status).toBe('COMPLETED');
  });

  it('is found among many transactions of others, with few reads', async () => {
    const approved = await world.approve(sessionId, plan, wallet);
    const stranger = await world.newWallet();
    const sendUnrelated = async (count: bigint) => {
      for (let number = 1n; number <= count; number += 1n) {
        const transfer = { source: stranger, destination: approved.subscriptionPda, amount: number };
        await world.act(stranger, getTransferSolInstruction(transfer));
      }
    };
    // Some of these transactions land in the second of the creation.
    await sendUnrelated(20n);
    await world.travel(HOUR);
    await sendUnrelated(100n);
    let reads = 0;
    const chain = aroundCalls(world.chain, (method, send) => {
      if (method === 'getTransaction') reads += 1;
      return send();
    });
    const { data, slot } = await world.see(approved.subscriptionPda);
    const account = decodeSubscription(data ?? new Uint8Array());
    const observed = { address: approved.subscriptionPda, account, slot };
    const ctx = { ...world.ctx, chain: { TEST: chain } };
    // The transaction of an unknown creation is not found. That is no error, so the update is not
    // retried.
    const unknown = { ...account, periodStart: account.periodStart + 60n };
    await autoCompleteCheckout(ctx, 'TEST', { ...observed, account: unknown });
    expect(await statusOf()).not.toBe('COMPLETED');
    expect(reads).toBe(100);
    reads = 0;
    await autoCompleteCheckout(ctx, 'TEST', observed);
    expect(await statusOf()).toBe('COMPLETED');
    expect(reads).toBe(1);
    // The creation for another wallet is not found either. The search ends after 100 reads.
    const otherSubscriber = { ...account, subscriber: stranger.address };
    reads = 0;
    const search = findCreation(chain, plan, { ...observed, account: otherSubscriber });
    await expect(search).rejects.toThrow(CreationHidden);
    expect(reads).toBe(100);
  });

  it('asks for another wallet if a returning customer’s creation is not found', async () => {
    const created = await world.approveUnmarked(merchant, plan, wallet);
    await nameOften(created.subscriptionPda);
    const returned = await world.approve(sessionId, plan, wallet);
    // The list lacks the creation, which is the oldest transaction, as if the list were longer.
    const chainWithoutCreation = aroundCalls(world.chain, async (method, send) => {
      const answer = await send();
      if (method !== 'getSignaturesForAddress') return answer;
      return (answer as { signature: string }[]).filter(({ signature }) => signature !== created.signature);
    });
    const completing = completeCheckout(
      { ...world.ctx, chain: { TEST: chainWithoutCreation } },
      sessionId,
      returned,
    );
    const error = await completing.catch((cause: unknown) => cause);
    const message = expect.stringContaining('use another wallet');
    expect(error).toMatchObject({ ...invalid('userWallet'), message });
    expect(error).not.toBeInstanceOf(NotSeenYet);
  });

  it('is retried later if the node may be behind its transaction', async () => {
    const { subscriptionPda } = await world.approve(sessionId, plan, wallet);
    await nameOften(subscriptionPda);
    const { data, slot } = await world.see(subscriptionPda);
    const account = decodeSubscription(data ?? new Uint8Array());
    const observed = { address: subscriptionPda, account, slot };
    const completeWith = (chain: Chain, observation = observed) =>
      autoCompleteCheckout({ ...world.ctx, chain: { TEST: chain } }, 'TEST', observation);
    const chainWithoutTransactions = aroundCalls(world.chain, (method, send) =>
      method === 'getTransaction' ? Promise.resolve(null) : send(),
    );
    await expect(completeWith(chainWithoutTransactions)).rejects.toThrow('No transaction found');
    // The account was seen at a slot that the node has not reached, after unrelated transactions.
    const later = {
      ...observed,
      account: { ...account, periodStart: account.periodStart + 60n },
      slot: slot + 1_000n,
    };
    await expect(completeWith({ ...world.chain, slotAttempts: 1 }, later)).rejects.toThrow(NodeBehind);
  });

  it('is completed with the newest of two subscriptions created whole intervals apart', async () => {
    const { subscriptionPda } = await world.approveUnmarked(merchant, plan, wallet);
    const createdAt = world.network.unixSeconds();
    await world.onChain.cancel(wallet, plan);
    await world.travel(createdAt + 2 * DAY - world.network.unixSeconds());
    await world.onChain.close(wallet, plan);
    const session = await openSession();
    await world.approve(session, plan, wallet);
    expect(world.network.unixSeconds()).toBe(createdAt + 2 * DAY);
    await world.mirror(subscriptionPda);
    expect(await statusOf(session)).toBe('COMPLETED');
    const [subscription] = await subscriptionsAt(subscriptionPda);
    expect(subscription?.chainCreatedAt).toBe(BigInt(createdAt + 2 * DAY));
  });

  it('is not completed with a cancelled subscription', async () => {
    const approved = await world.approve(sessionId, plan, wallet);
    await world.onChain.cancel(wallet, plan);
    await world.mirror(approved.subscriptionPda);
    expect(await statusOf()).toBe('OPEN');
  });
});

/** Sends more transactions of a stranger that name the address than a search reads. */
async function nameOften(destination: Address): Promise<void> {
  const stranger = await world.newWallet();
  for (let amount = 1n; amount <= 101n; amount += 1n) {
    await world.act(stranger, getTransferSolInstruction({ source: stranger, destination, amount }));
  }
}

async function pdaOf(subscriber: KeyPairSigner, ofPlan: Plan) {
  const subscriptionPda = await subscriptionAddress(address(ofPlan.address), subscriber.address);
  return { subscriptionPda, userWallet: subscriber.address };
}
