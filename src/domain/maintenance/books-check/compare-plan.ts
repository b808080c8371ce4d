// Compares the transfers of one plan on chain with its payments, period by period.
//
// 1. It reads the plan's transactions on chain, oldest first, and compares the periods of each page
//    with the books. A period whose transfers equal its payments needs no further check. The others
//    stay open. A later transfer opens its period again.
// 2. It reads the payments. A payment whose period did not agree opens its period too.
// 3. It checks the open periods again a few seconds later, because one side may not yet have shown
//    a transfer that landed during the comparison.
import { setTimeout as wait } from 'node:timers/promises';
import { address } from '@solana/kit';
import type { AppContext } from '../../../app.ts';
import { inChunks } from '../../../async/in-chunks.ts';
import { collectorAddresses } from '../../../chain/accounts/collectors.ts';
import type { Chain } from '../../../chain/chain.ts';
import type { Plan } from '../../../generated/prisma/client.ts';
import type { SeenTransaction } from '../../billing/settle/settle-transactions.ts';
import type { SeenTransfer } from '../../billing/settle/settle-transfer.ts';
import {
  KEYS_PER_QUERY,
  keyOf,
  knownSubscriptions,
  type PeriodKey,
  paymentsOfPeriods,
  paymentsOfPlan,
} from './booked-payments.ts';
import { forgottenTransfers } from './forgotten-transfers.ts';
import { readHistory } from './read-history.ts';

/** Delay of the second check: longer than it takes to settle a transfer that has just landed. */
const RECHECK_DELAY_MS = 3_000;

/** A period in which the chain and the books differ. */
export interface Difference extends PeriodKey {
  readonly chargedOnChain: bigint;
  readonly booked: bigint;
  /** Signatures of the transfers on chain or, without transfers, of the payment. */
  readonly signatures: readonly string[];
}

export interface PlanComparison {
  readonly chargedOnChain: bigint;
  readonly booked: bigint;
  readonly differences: readonly Difference[];
  /**
   * Pulled by the merchant from wallets that never subscribed through dues. Not part of the books.
   */
  readonly outside: bigint;
  /** Transactions that could not be read, with the reason: their transfers are unknown. */
  readonly unreadable: ReadonlyMap<string, string>;
}

export interface ComparePlan {
  readonly plan: Plan;
  /** Called with transactions from the chain before the payments are read. */
  readonly onRead: (transactions: readonly SeenTransaction[]) => Promise<void>;
}

interface Period extends PeriodKey {
  chargedOnChain: bigint;
  booked: bigint;
  /** Whether a transfer of the period may have been sent by dues. */
  isOurs: boolean;
  readonly signatures: Set<string>;
}

/** @throws if the cluster or the database does not respond */
export async function comparePlan(
  ctx: Pick<AppContext, 'db'>,
  chain: Chain,
  { plan, onRead }: ComparePlan,
): Promise<PlanComparison> {
  const { db } = ctx;
  const { environment } = chain;
  const openPeriods = new Map<string, Period>();
  const donePayments = new Set<string>();
  const unreadable = new Map<string, string>();
  let agreedAmount = 0n;

  const compareWithBooks = async (periods: readonly Period[]) => {
    for (const chunk of inChunks(periods, KEYS_PER_QUERY)) {
      for (const period of chunk) period.booked = 0n;
      const payments = await paymentsOfPeriods(db, environment, chunk);
      for (const payment of payments) {
        const period = openPeriods.get(keyOf(payment));
        if (!period) continue;
        period.booked += payment.amount;
        if (payment.signature && period.chargedOnChain === 0n) period.signatures.add(payment.signature);
      }
      for (const period of chunk) {
        if (period.booked !== period.chargedOnChain) continue;
        agreedAmount += period.booked;
        openPeriods.delete(keyOf(period));
      }
      for (const payment of payments) {
        if (!openPeriods.has(keyOf(payment))) donePayments.add(payment.id);
      }
    }
  };

  for await (const page of readHistory(chain, address(plan.address))) {
    for (const [signature, reason] of page.unreadable) unreadable.set(signature, reason);
    await onRead(page.transactions);
    const transfers = page.transactions
      .flatMap((transaction) => transaction.transfers)
      .filter((transfer) => transfer.plan === plan.address);
    await compareWithBooks(addTransfers(openPeriods, transfers, collectorAddresses(chain)));
  }
  await compareWithBooks([...openPeriods.values()]);
  for await (const page of paymentsOfPlan(db, plan.id)) {
    const unmatched = page.filter(
      (payment) => !donePayments.has(payment.id) && !openPeriods.has(keyOf(payment)),
    );
    for (const payment of unmatched) openPeriods.set(keyOf(payment), newPeriod(payment));
    await compareWithBooks(unmatched.flatMap((payment) => openPeriods.get(keyOf(payment)) ?? []));
  }

  if (openPeriods.size > 0) {
    await wait(RECHECK_DELAY_MS);
    await compareWithBooks([...openPeriods.values()]);
    for (const period of openPeriods.values()) {
      if (period.booked > period.chargedOnChain) await readTransfersAgain(chain, period);
    }
    await compareWithBooks([...openPeriods.values()]);
    await setForgottenAside(db, chain, openPeriods, unreadable);
  }
  return { ...(await summarize(ctx, chain, [...openPeriods.values()], agreedAmount)), unreadable };
}

/**
 * Removes the periods that would agree with the transfers that the node has dropped: nothing is
 * known of them. They count as one unreadable transaction, because they may be a whole history.
 */
async function setForgottenAside(
  db: AppContext['db'],
  chain: Chain,
  openPeriods: Map<string, Period>,
  unreadable: Map<string, string>,
): Promise<void> {
  const lacking = [...openPeriods.values()].filter(({ booked, chargedOnChain }) => booked > chargedOnChain);
  const { firstBlock, transfers } = await forgottenTransfers(db, chain, lacking);
  const forgotten = lacking.flatMap((period) => {
    const found = transfers.get(keyOf(period));
    return found && period.chargedOnChain + found.amount === period.booked ? [found] : [];
  });
  for (const period of forgotten) openPeriods.delete(keyOf(period));
  const [first] = forgotten;
  if (!first) return;
  unreadable.set(
    first.signature,
    `the node has no block before ${firstBlock}: it cannot show the transfers of ${forgotten.length} booked payments, of which this is one`,
  );
}

/** Adds the transfers to their periods and returns the changed periods. */
function addTransfers(
  openPeriods: Map<string, Period>,
  transfers: readonly SeenTransfer[],
  collectors: readonly string[],
): Period[] {
  const changed = new Set<Period>();
  for (const transfer of transfers) {
    const period = openPeriods.get(keyOf(transfer)) ?? newPeriod(transfer);
    openPeriods.set(keyOf(transfer), period);
    period.chargedOnChain += transfer.amount;
    period.isOurs ||= transfer.puller === null || collectors.includes(transfer.puller);
    period.signatures.add(transfer.signature);
    changed.add(period);
  }
  return [...changed];
}

function newPeriod({ subscription, periodStart }: PeriodKey): Period {
  return { subscription, periodStart, chargedOnChain: 0n, booked: 0n, isOurs: false, signatures: new Set() };
}

/**
 * Reads the transfers of a period from the history of its subscription, for a payment that exceeds
 * the transfers seen so far: later ones may have landed.
 */
async function readTransfersAgain(chain: Chain, period: Period): Promise<void> {
  let charged = 0n;
  for await (const { transactions } of readHistory(chain, address(period.subscription))) {
    for (const { amount, periodStart, subscription } of transactions.flatMap(({ transfers }) => transfers)) {
      if (subscription === period.subscription && periodStart === period.periodStart) charged += amount;
    }
  }
  period.chargedOnChain = charged;
}

async function summarize(
  { db }: Pick<AppContext, 'db'>,
  { environment }: Chain,
  openPeriods: readonly Period[],
  agreedAmount: bigint,
): Promise<Omit<PlanComparison, 'unreadable'>> {
  const addresses = openPeriods.map(({ subscription }) => subscription);
  const known = await knownSubscriptions(db, environment, addresses);
  let [chargedOnChain, booked, outside] = [agreedAmount, agreedAmount, 0n];
  const differences: Difference[] = [];
  for (const { subscription, periodStart, isOurs, signatures, ...amounts } of openPeriods) {
    if (!isOurs && !known.has(subscription)) {
      outside += amounts.chargedOnChain;
      continue;
    }
    chargedOnChain += amounts.chargedOnChain;
    booked += amounts.booked;
    differences.push({ subscription, periodStart, ...amounts, signatures: [...signatures] });
  }
  return { chargedOnChain, booked, differences, outside };
}
