import type { Address, ReadonlyUint8Array } from '@solana/kit';
import { v7 as uuidv7 } from 'uuid';
import type { AppContext } from '../../app.ts';
import { acceptedVersion, forgetVersion, refusesVersion } from '../../chain/accepted-version.ts';
import type { Chain } from '../../chain/chain.ts';
import { packPulls } from '../../chain/pack-pulls.ts';
import { readPayers } from '../../chain/payers.ts';
import { priorityFee } from '../../chain/priority-fee.ts';
import { type SignedPulls, signPulls } from '../../chain/pull-transactions.ts';
import { latestBlockhash, sendWire } from '../../chain/send.ts';
import type { DbTransaction } from '../../db.ts';
import { asRows } from '../../db-rows.ts';
import type { Environment } from '../../generated/prisma/client.ts';
import { inCountedTransaction } from '../../metrics/count-when-committed.ts';
import { sideBySide } from '../../side-by-side.ts';
import { currentTraceparent, type Traceparent } from '../../tracing/trace.ts';
import { collectionMayGoOn } from '../mirror/collection-may-go-on.ts';
import { COLLECTING } from '../subscription/status.ts';
import { assertCollectorCanPay } from './assert-collector-can-pay.ts';
import { apart } from './books/apart.ts';
import type { Book } from './books/book.ts';
import { loadPayments, openBooks } from './books/read-books.ts';
import { writeBooks } from './books/write-books.ts';
import { type Claim, holdsClaim } from './claim-due.ts';
import type { PayablePayment } from './collect-claimed.ts';
import { failedTogether } from './failed-together.ts';
import { type Refused, refuse } from './refuse.ts';
import { type Culprit, tryPulls, VersionRefused } from './try-pulls.ts';
import { refusalOf, unlessInDoubt } from './verdict.ts';

/** How many transactions are on their way to the node at the same time. */
const SENDS_AT_ONCE = 32;
/** A cluster that refuses the version it has just taken is in trouble. */
const MOST_REFUSALS = 2;

/** A signed transaction and the payments that it collects: pull i is payment i's. */
interface Signed extends SignedPulls {
  readonly id: string;
  /** Who signed it and pays for it. */
  readonly collector: Address;
  readonly traceparent: Traceparent;
  readonly payments: readonly PayablePayment[];
}

/**
 * Packs the payments into transactions, has the cluster try them, signs, writes all of them down, and only then sends:
 * whatever dies after that, the follower finds what may still land. What must not be sent any more is left out, and its
 * companions are packed again.
 */
export async function submitPulls(
  ctx: AppContext,
  chain: Chain,
  claim: Claim,
  payable: readonly PayablePayment[],
): Promise<void> {
  let waiting = payable;
  for (let refusals = 0; waiting.length > 0; ) {
    try {
      const { signed, culprits } = await sign(ctx, chain, waiting);
      await refuse(ctx, chain, claim, await explain(ctx, chain, culprits));
      const written = await writeDown(ctx, chain.environment, signed);
      await sideBySide(written.sent, SENDS_AT_ONCE, ({ wire }) => sendQuietly(ctx, chain, wire));
      waiting = written.again;
    } catch (error) {
      if (!(error instanceof VersionRefused) || ++refusals > MOST_REFUSALS) throw error;
      ctx.log.warn(
        { err: error, environment: chain.environment },
        'the cluster is asked again what it takes',
      );
      forgetVersion(chain);
    }
  }
}

async function sign(
  ctx: AppContext,
  chain: Chain,
  payments: readonly PayablePayment[],
): Promise<{ signed: Signed[]; culprits: readonly Culprit[] }> {
  const [version, blockhash, price, alone] = await Promise.all([
    acceptedVersion(chain),
    latestBlockhash(chain),
    priorityFee(
      chain,
      payments.map(({ pull }) => pull.receiverTokenAccount),
    ),
    failedTogether(
      ctx,
      payments.map(({ payment }) => payment.id),
    ),
  ]);
  const packing = { collector: chain.collector, version, most: chain.config.maxPullsPerTransaction };
  const packs = [
    ...packPulls(
      payments.filter(({ payment }) => !alone.has(payment.id)),
      packing,
    ),
    ...payments.filter(({ payment }) => alone.has(payment.id)).map((one) => [one]),
  ];
  await assertCollectorCanPay(chain, packs, price);
  const tried = await tryPulls(chain, packs, { blockhash, version });
  const signed = await Promise.all(
    tried.packs.map(async ({ payments: together, computeUnits }): Promise<Signed> => {
      const pulls = together.map(({ pull }) => pull);
      const transaction = await signPulls(chain, pulls, { blockhash, version, computeUnits, price });
      const { address: collector } = chain.collector;
      return {
        ...transaction,
        id: uuidv7(),
        collector,
        traceparent: currentTraceparent(),
        payments: together,
      };
    }),
  );
  return { signed, culprits: tried.culprits };
}

/** What is to be done about those that would have failed. */
async function explain(ctx: AppContext, chain: Chain, culprits: readonly Culprit[]): Promise<Refused[]> {
  if (culprits.length === 0) return [];
  const gate = await collectionMayGoOn(ctx, chain.environment);
  const payers = await readPayers(
    chain,
    culprits.map(({ due }) => due.pull),
  );
  return culprits.map(({ due, failure }, index) => {
    if (failure.kind === 'ours' || failure.kind === 'plan_ended') {
      const subscription = due.subscription.address;
      ctx.log.error(
        { subscription, failure: failure.kind },
        'a collection would fail for a reason of our own',
      );
    }
    const refusal = unlessInDoubt(refusalOf(failure, payers[index], due.payment.amount), gate);
    return { due, refusal };
  });
}

/** Hands the bytes to the node. A transport error is not a no: the follower sends again until the chain has answered. */
export async function sendQuietly(ctx: AppContext, chain: Chain, wire: ReadonlyUint8Array): Promise<void> {
  await sendWire(chain, wire).catch((err: unknown) => {
    if (refusesVersion(err)) forgetVersion(chain);
    ctx.log.warn({ err, environment: chain.environment }, 'transaction not handed over, will be sent again');
  });
}

interface Written {
  readonly sent: readonly Signed[];
  /** Payments whose transaction must not be sent for another one's sake. */
  readonly again: readonly PayablePayment[];
}

/**
 * Writes signed transactions and their attempts down and takes the subscriptions off the list of what is due. A
 * transaction with a payment that must not be collected any more (cancelled, paid, too late, submitted by somebody else)
 * is not written.
 */
async function writeDown(
  ctx: AppContext,
  environment: Environment,
  signed: readonly Signed[],
): Promise<Written> {
  const outcomes = await apart(
    signed,
    (some) => writeTogether(ctx, environment, some),
    ({ signature, payments }, err) => {
      const subscriptions = payments.map(({ subscription }) => subscription.id);
      ctx.log.error({ err, signature, subscriptions }, 'transaction cannot be written down, is not sent');
    },
  );
  return {
    sent: outcomes.flatMap(({ sent }) => sent),
    again: outcomes.flatMap(({ again }) => again),
  };
}

function writeTogether(
  ctx: AppContext,
  environment: Environment,
  signed: readonly Signed[],
): Promise<Written[]> {
  const payments = signed.flatMap((transaction) => transaction.payments);
  return inCountedTransaction(ctx.db, async (tx) => {
    const books = await openBooks(
      tx,
      payments.map(({ subscription }) => subscription.id),
    );
    await loadPayments(
      tx,
      books,
      payments.map(({ subscription, payment: { periodStart } }) => ({
        subscriptionId: subscription.id,
        periodStart,
      })),
    );
    const now = ctx.clock.now();
    const outcomes = signed.map((transaction): Written => {
      const sound = transaction.payments.filter((one) => maySend(books.get(one.subscription.id), one, now));
      if (sound.length < transaction.payments.length) return { sent: [], again: sound };
      for (const [index, { subscription, payment }] of transaction.payments.entries()) {
        const book = books.get(subscription.id);
        book?.submit(payment, transaction, transaction.firstPull + index);
        book?.set({ nextAttemptAt: null, claimedUntil: null });
      }
      return { sent: [transaction], again: [] };
    });
    await insertTransactions(
      tx,
      environment,
      outcomes.flatMap(({ sent }) => sent),
      now,
    );
    await writeBooks(tx, books.values(), now);
    return outcomes;
  });
}

function maySend(book: Book | undefined, { subscription, payment }: PayablePayment, now: Date): boolean {
  const found = book?.payment(payment.periodStart);
  if (!book || found?.status !== 'DUE' || found.submitted) return false;
  if (!COLLECTING.includes(book.subscription.status)) return false;
  return holdsClaim(book.subscription, subscription.claimedUntil, now);
}

async function insertTransactions(
  tx: DbTransaction,
  environment: Environment,
  signed: readonly Signed[],
  now: Date,
): Promise<void> {
  if (signed.length === 0) return;
  const rows = signed.map(({ id, signature, wire, lastValidBlockHeight, collector, traceparent }) => ({
    ...{ id, signature, lastValidBlockHeight, collector, traceparent },
    wire: Buffer.from(wire as Uint8Array).toString('base64'),
  }));
  await tx.$executeRaw`
    INSERT INTO "TransferTransaction" ("id", "signature", "lastValidBlockHeight", "wire", "collector", "traceparent",
      "environment", "createdAt")
    SELECT r."id", r."signature", r."lastValidBlockHeight", decode(r."wire", 'base64'), r."collector", r."traceparent",
      ${environment}::"Environment", ${now}::timestamptz
    FROM jsonb_to_recordset(${asRows(rows)}::jsonb) AS r("id" uuid, "signature" text,
      "lastValidBlockHeight" bigint, "wire" text, "collector" text, "traceparent" text)`;
}
