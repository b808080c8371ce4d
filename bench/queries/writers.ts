import { type Address, generateKeyPairSigner } from '@solana/kit';
import { applySubscriptions } from '../../indexer/apply/apply-subscriptions.ts';
import { setAside } from '../../indexer/apply/set-aside.ts';
import { findRelevantAccounts } from '../../indexer/relevant-accounts.ts';
import { savePosition } from '../../indexer/stream-position.ts';
import { createPostgresRateCounter } from '../../src/api/rate-limit/postgres-rate-counter.ts';
import { OTHER_REQUESTS } from '../../src/api/rate-limit/rate-limit.ts';
import type { AppContext } from '../../src/app.ts';
import { authenticateSession } from '../../src/domain/accounts/sign-in/authenticate-session.ts';
import { makeSignInInput } from '../../src/domain/accounts/sign-in/make-sign-in-input.ts';
import { signIn } from '../../src/domain/accounts/sign-in/sign-in.ts';
import { voidAttempts } from '../../src/domain/billing/follow/void-attempts.ts';
import { failPayments } from '../../src/domain/billing/settle/fail-payments.ts';
import { settleTransactions } from '../../src/domain/billing/settle/settle-transactions.ts';
import { inTransaction } from '../../src/jobs/in-transaction.ts';
import { signInWithWallet } from '../../tools/sign-in-wallet.ts';
import type { BenchQuery } from './list.ts';
import { type GrownMerchant, pickOrdinarySubscriptions } from './seed.ts';

const INTERVAL_SECONDS = 2_592_000n;
const NO_CLIENT = { ipAddress: null, userAgent: null, requestId: null };

/** The writes of each payment, stream update, request and sign-in, on tables that grow. */
export function listWriterQueries(app: AppContext, { scope, id }: GrownMerchant, n: number): BenchQuery[] {
  // These functions get all their data as arguments, and need no chain.
  const ctx: AppContext = { ...app, chain: {} };
  const { db } = ctx;
  const { inFlight, others: numbers } = pickOrdinarySubscriptions(n);
  const settle = async () => {
    const now = BigInt(Math.floor(ctx.clock.now().getTime() / 1_000));
    const periodStart = now - ((now - 1n) % INTERVAL_SECONDS);
    const transferred = {
      index: 0,
      plan: 'plan-1' as Address,
      amount: 5_000_000n,
      periodStart,
      puller: null,
    };
    const transactions = numbers.map((n) => {
      const [signature, slot] = [`settled-${n}`, BigInt(n)];
      const subscription = `address-${n}` as Address;
      return {
        signature,
        slot,
        feeLamports: 5_000n,
        transfers: [{ ...transferred, signature, slot, subscription, at: ctx.clock.now() }],
      };
    });
    const [error] = (await settleTransactions(ctx, 'TEST', transactions as never)).values();
    if (error) throw error;
  };
  const findOpenAttempts = (isIncluded: (number: number) => boolean) =>
    db.attempt.findMany({
      where: {
        payment: { subscriptionId: { in: inFlight.filter(isIncluded).map((n) => id('subscription', n)) } },
        status: 'SUBMITTED',
      },
      include: { payment: true },
    });
  const fail = async () => {
    const attempts = await findOpenAttempts((n) => n % 2 === 0);
    await failPayments(
      ctx,
      attempts.map(({ id: attemptId, payment: { subscriptionId, periodStart, ordinal } }) => {
        const failure = { code: 'INSUFFICIENT_FUNDS', balanceAvailable: 0n } as const;
        return { subscriptionId, periodStart, ordinal, attemptId, failure };
      }),
    );
  };
  const release = async () => {
    const attempts = await findOpenAttempts((n) => n % 2 === 1);
    const now = ctx.clock.now();
    const voids = attempts.map(({ id: attemptId, payment: { subscriptionId, periodStart, ordinal } }) => {
      return { attemptId, subscriptionId, periodStart, ordinal, nextAttemptAt: now };
    });
    await inTransaction(ctx, (tx) => voidAttempts(tx, voids, now));
  };
  const mirror = async () => {
    const updates = numbers.map((n) => ({
      seen: {
        address: `address-${n}`,
        data: new Uint8Array(64),
        slot: 1n << 40n,
        writeVersion: 1n,
      },
      facts: { plan: 'plan-1', createdAt: 1n, expiresAt: 0n, initId: 1n },
    }));
    await applySubscriptions(ctx, 'TEST', updates as never);
  };
  const unapplied = { subject: { kind: 'account', address: 'address-5' as Address }, slot: 1n } as const;
  const count = async () => {
    const counter = createPostgresRateCounter(ctx);
    await Promise.all(numbers.map((n) => counter.take(OTHER_REQUESTS, `caller-${n}`, 1)));
    await counter.close();
  };
  const signInOnce = async () => {
    const wallet = await generateKeyPairSigner();
    const { merchantId } = scope;
    await db.member.create({
      data: { merchantId, walletAddress: wallet.address, role: 'OWNER', createdAt: ctx.clock.now() },
    });
    const { address, ...answer } = await signInWithWallet(wallet, { ...(await makeSignInInput(ctx)) });
    const { token } = await signIn(
      ctx,
      {
        address,
        signedMessage: Buffer.from(answer.signedMessage, 'base64'),
        signature: Buffer.from(answer.signature, 'base64'),
      },
      NO_CLIENT as never,
    );
    await authenticateSession(ctx, token, 'TEST');
  };
  const queries: Record<string, () => Promise<unknown>> = {
    'transfers settled': settle,
    'payments failed': fail,
    'payments due again': release,
    'subscriptions mirrored': mirror,
    'accounts looked up': () =>
      findRelevantAccounts(
        ctx,
        'TEST',
        numbers.map((n) => ({ address: `address-${n}`, wallet: `wallet-${n}` })),
      ),
    'update set aside': () => setAside(ctx, 'TEST', unapplied, new Error('broken')),
    'position saved': () => savePosition(ctx, 'TEST', 1n, { receivedSlot: 1n, doubt: null }),
    'requests counted': count,
    'wallet signed in': signInOnce,
  };
  return Object.entries(queries).map(([name, run]) => ({ name, run }));
}
