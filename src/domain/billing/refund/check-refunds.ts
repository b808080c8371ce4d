// Finds the transfers of refunds on chain.
//
// 1. The time of the next check is stored first. So a refund that cannot be checked does not delay
//    the others.
// 2. A check reads the transactions that name the refund's reference, newest first. Anyone may name
//    it, so there may be very many, and each run reads one page.
//    - `checkingTo` is the second last transaction read. The next run continues after it, and reads
//      the last one again. If that page is empty, the node lacks the transaction `checkingTo`.
//    - `checkedTo` is where the next check ends: the newest transaction of a check in which all
//      were final and could be read.
//    - `checkingFrom` is the newest transaction of the running check; null if one of them was not
//      final or could not be read. Then `checkedTo` stays, and the next check reads them again.
//    - The last check of a refund begins at the newest transaction and reads all.
// 3. The oldest final transfer on the page that pays the refund settles it (`settle-refund.ts`).
//    Each further one is recorded as an excess. If a transfer on the newest page is not final yet,
//    `sentSignature` names it, and the refund is not sent again.
import type { Address, Signature } from '@solana/kit';
import type { AppContext } from '../../../app.ts';
import { mapConcurrently } from '../../../async/map-concurrently.ts';
import type { Chain } from '../../../chain/chain.ts';
import { NodeBehind } from '../../../chain/rpc/as-of.ts';
import { listSignatures, readTransaction, type SignatureInfo } from '../../../chain/rpc/chain-transaction.ts';
import { isFinalized, signatureOutcomes } from '../../../chain/rpc/signature-outcomes.ts';
import { refundTransfers } from '../../../chain/transactions/refund-transactions.ts';
import type { Refund } from '../../../generated/prisma/client.ts';
import { upToDate } from '../../chain-state/mirror/known-slot.ts';
import { type SendableRefund, sendable } from './find-refund.ts';
import { publishRefund } from './publish-refund.ts';
import { beginsLastCheck, changeAfterCheck, isLastCheck, nextCheckOf } from './refund-status.ts';
import { termsOf } from './refund-terms.ts';
import { type FinalTransfer, settleRefund } from './settle-refund.ts';

/** Maximum refunds per run. */
const MAX_REFUNDS_PER_RUN = 128;
/** Pause after a run with that many: collection needs the RPC nodes too. */
const PAUSE_MS = 5_000;
const CONCURRENCY = 8;
/** Maximum transactions read per refund and run. */
const READ_PER_RUN = 25;
/** Delay before a check continues with its next page. */
const NEXT_PAGE_DELAY_MS = 1_000;

/**
 * Checks the due refunds of an environment: settles those that were paid, and expires those that
 * were not sent in time. Returns the time of the next check, or null if none is left.
 */
export async function checkRefunds(ctx: AppContext, cluster: Chain): Promise<Date | null> {
  const { environment } = cluster;
  const now = ctx.clock.now();
  const due = await ctx.db.refund.findMany({
    where: { environment, nextCheckAt: { lte: now } },
    orderBy: { nextCheckAt: 'asc' },
    take: MAX_REFUNDS_PER_RUN,
    ...sendable,
  });
  if (due.length > 0) {
    const chain = await upToDate(ctx, cluster);
    await mapConcurrently(due, CONCURRENCY, (refund) => checkOne(ctx, chain, refund, now));
  }
  const next = await ctx.db.refund.findFirst({
    where: { environment, nextCheckAt: { not: null } },
    orderBy: { nextCheckAt: 'asc' },
    select: { nextCheckAt: true },
  });
  if (!next?.nextCheckAt || due.length < MAX_REFUNDS_PER_RUN) return next?.nextCheckAt ?? null;
  return new Date(Math.max(next.nextCheckAt.getTime(), ctx.clock.now().getTime() + PAUSE_MS));
}

async function checkOne(ctx: AppContext, chain: Chain, due: SendableRefund, now: Date): Promise<void> {
  const firstPage = beginsLastCheck(due, now) ? { checkingFrom: null, checkingTo: null } : {};
  const refund = { ...due, ...firstPage };
  await write(ctx, refund, { ...firstPage, nextCheckAt: nextCheckOf(refund, now) });
  try {
    const { transfers, progress, isClean } = await readNextPage(chain, refund, now);
    let isSettled = false;
    for (const transfer of transfers) {
      isSettled = (await settleRefund(ctx, refund, transfer)) === 'settled' || isSettled;
    }
    if (isSettled) return;
    const isOver = progress.checkingTo === null;
    const change = isOver
      ? changeAfterCheck(refund, now, isClean)
      : { nextCheckAt: nextCheckOf(refund, now, new Date(now.getTime() + NEXT_PAGE_DELAY_MS)) };
    await write(ctx, refund, { ...progress, ...change });
    const after = { ...refund, ...progress, ...change };
    if (after.status !== refund.status || after.sentSignature !== refund.sentSignature) {
      await publishRefund(ctx, refund);
    }
  } catch (err) {
    const { id, environment } = refund;
    ctx.log.error({ err, refund: id, environment }, 'refund not checked: will be retried');
  }
}

/**
 * Changes a refund, unless it was meanwhile settled or cancelled, or the merchant is about to send
 * it.
 */
async function write(
  { db }: Pick<AppContext, 'db'>,
  { id, status, requestedAt }: Refund,
  data: Partial<Refund>,
): Promise<void> {
  await db.refund.updateMany({ where: { id, status, requestedAt }, data });
}

interface PageResult {
  /** Transfers that pay the refund, in final transactions. */
  readonly transfers: readonly FinalTransfer[];
  readonly progress: Pick<Refund, 'checkedTo' | 'checkingFrom' | 'checkingTo' | 'sentSignature'>;
  /** Whether every transaction of the check was final and read. */
  readonly isClean: boolean;
}

/** Reads the next page of the transactions that name the reference. */
async function readNextPage(chain: Chain, refund: SendableRefund, now: Date): Promise<PageResult> {
  const { reference, checkedTo, checkingFrom, checkingTo } = refund;
  // The last check reads all transactions again, in case a node did not list one of them in time.
  const until = isLastCheck(refund, now) ? null : checkedTo;
  const page = await listSignatures(chain, reference as Address, {
    limit: READ_PER_RUN,
    until: (until as Signature | null) ?? undefined,
    before: (checkingTo as Signature | null) ?? undefined,
  });
  if (checkingTo !== null && page.length === 0) {
    throw new NodeBehind(`The RPC node lacks the transaction ${checkingTo}, which was listed before`);
  }
  const { transfers, sentSignature, isClean } = await readPage(chain, refund, page);
  const from = checkingTo === null ? (page[0]?.signature ?? checkedTo) : checkingFrom;
  const wasClean = checkingTo === null || checkingFrom !== null;
  const progress =
    page.length < READ_PER_RUN
      ? { checkedTo: isClean && from !== null ? from : checkedTo, checkingFrom: null, checkingTo: null }
      : { checkedTo, checkingFrom: isClean ? from : null, checkingTo: page.at(-2)?.signature ?? null };
  const seen = { sentSignature: checkingTo === null ? sentSignature : refund.sentSignature };
  return { transfers, progress: { ...progress, ...seen }, isClean: isClean && wasClean };
}

async function readPage(
  chain: Chain,
  refund: SendableRefund,
  page: readonly SignatureInfo[],
): Promise<Pick<PageResult, 'transfers' | 'isClean'> & Pick<Refund, 'sentSignature'>> {
  const outcomes = await signatureOutcomes(
    chain,
    page.map(({ signature }) => signature),
  );
  const transfers: FinalTransfer[] = [];
  let sentSignature: string | null = null;
  let isClean = true;
  // The page is newest first. The oldest transfer settles the refund, and the others are excess.
  for (const { signature } of page.toReversed()) {
    const outcome = outcomes.get(signature);
    const isFinal = isFinalized(outcome);
    if (!isFinal) isClean = false;
    // The listing may be of a block that was rolled back: the outcome counts.
    if (outcome?.state !== 'landed' || outcome.err !== null) continue;
    const transaction = await readTransaction(chain, signature);
    // A node that lists a transaction may lack it.
    if (!transaction) {
      isClean = false;
      continue;
    }
    const found = await refundTransfers(transaction, termsOf(refund));
    if (isFinal) transfers.push(...found.map((transfer) => ({ ...transfer, transaction })));
    else if (found.length > 0) sentSignature ??= signature;
  }
  return { transfers, sentSignature, isClean };
}
