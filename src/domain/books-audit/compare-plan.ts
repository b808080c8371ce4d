// Compares the transfers of one plan on chain with its payments, period by period.
//
// 1. It reads the chain's transactions, newest first. A period whose transfers equal the plan's
//    amount (the program's maximum) and its payment is complete and dropped; all others stay open.
// 2. It reads the payments. A payment without a complete period on chain is open too.
// 3. It checks the open periods again a little later, because a transfer during the comparison may
//    be seen on one side only.
import { setTimeout as wait } from 'node:timers/promises';
import { address } from '@solana/kit';
import type { AppContext } from '../../app.ts';
import { inChunks } from '../../async/in-chunks.ts';
import { collectorAddresses } from '../../chain/accounts/collectors.ts';
import type { Chain } from '../../chain/chain.ts';
import type { Plan } from '../../generated/prisma/client.ts';
import type { SeenTransaction } from '../billing/settle/settle-transactions.ts';
import type { SeenTransfer } from '../billing/settle/settle-transfer.ts';
import {
  keyOf,
  knownSubscriptions,
  type PeriodKey,
  paymentsOfPeriods,
  paymentsOfPlan,
} from './booked-payments.ts';
import { historyOf } from './plan-history.ts';

/** Longer than it takes to settle a transfer that has just landed. */
const RECHECK_DELAY_MS = 3_000;
const KEYS_PER_QUERY = 1_000;

/** A period in which the chain and the books differ. */
export interface Difference extends PeriodKey {
  readonly chargedOnChain: bigint;
  readonly booked: bigint;
  /** Signatures of the transfers on chain; without any, of the payment. */
  readonly signatures: readonly string[];
}

export interface PlanComparison {
  readonly chargedOnChain: bigint;
  readonly booked: bigint;
  readonly differences: readonly Difference[];
  /**
   * Collected by the merchant from wallets that never subscribed through dues; not part of our
   * books.
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
  byUs: boolean;
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
  const open = new Map<string, Period>();
  const donePayments = new Set<string>();
  const unreadable = new Map<string, string>();
  let agreed = 0n;

  const compareWithBooks = async (periods: readonly Period[]) => {
    for (const some of inChunks(periods, KEYS_PER_QUERY)) {
      for (const period of some) period.booked = 0n;
      const payments = await paymentsOfPeriods(db, environment, some);
      for (const payment of payments) {
        const period = open.get(keyOf(payment));
        if (!period) continue;
        period.booked += payment.amount;
        if (payment.signature && period.chargedOnChain === 0n) period.signatures.add(payment.signature);
      }
      for (const period of some) {
        if (period.booked !== period.chargedOnChain) continue;
        agreed += period.booked;
        open.delete(keyOf(period));
      }
      for (const payment of payments) {
        if (!open.has(keyOf(payment))) donePayments.add(payment.id);
      }
    }
  };

  for await (const page of historyOf(chain, address(plan.address))) {
    for (const [signature, reason] of page.unreadable) unreadable.set(signature, reason);
    await onRead(page.transactions);
    const transfers = page.transactions
      .flatMap((transaction) => transaction.transfers)
      .filter((transfer) => transfer.plan === plan.address);
    const whole = addUp(open, transfers, collectorAddresses(chain)).filter(
      ({ chargedOnChain }) => chargedOnChain >= plan.amount,
    );
    await compareWithBooks(whole);
  }
  await compareWithBooks([...open.values()]);
  for await (const page of paymentsOfPlan(db, plan.id)) {
    const unmatched = page.filter((payment) => !donePayments.has(payment.id) && !open.has(keyOf(payment)));
    for (const payment of unmatched) open.set(keyOf(payment), newPeriod(payment));
    await compareWithBooks(unmatched.flatMap((payment) => open.get(keyOf(payment)) ?? []));
  }

  if (open.size > 0) {
    await wait(RECHECK_DELAY_MS);
    await compareWithBooks([...open.values()]);
    for (const period of open.values()) {
      if (period.booked > period.chargedOnChain) await readAgain(chain, period);
    }
    await compareWithBooks([...open.values()]);
  }
  return { ...(await conclude(ctx, chain, [...open.values()], agreed)), unreadable };
}

/** Adds the transfers to their periods and returns the changed periods. */
function addUp(
  open: Map<string, Period>,
  transfers: readonly SeenTransfer[],
  collectors: readonly string[],
): Period[] {
  const changed = new Set<Period>();
  for (const transfer of transfers) {
    const period = open.get(keyOf(transfer)) ?? newPeriod(transfer);
    open.set(keyOf(transfer), period);
    period.chargedOnChain += transfer.amount;
    period.byUs ||= transfer.puller === null || collectors.includes(transfer.puller);
    period.signatures.add(transfer.signature);
    changed.add(period);
  }
  return [...changed];
}

function newPeriod({ subscription, periodStart }: PeriodKey): Period {
  return { subscription, periodStart, chargedOnChain: 0n, booked: 0n, byUs: false, signatures: new Set() };
}

/**
 * The payment exceeds the transfers seen so far: reads the subscription's own history for later
 * transfers.
 */
async function readAgain(chain: Chain, period: Period): Promise<void> {
  let charged = 0n;
  for await (const { transactions } of historyOf(chain, address(period.subscription))) {
    for (const { amount, periodStart, subscription } of transactions.flatMap(({ transfers }) => transfers)) {
      if (subscription === period.subscription && periodStart === period.periodStart) charged += amount;
    }
  }
  period.chargedOnChain = charged;
}

async function conclude(
  { db }: Pick<AppContext, 'db'>,
  { environment }: Chain,
  open: readonly Period[],
  agreed: bigint,
): Promise<Omit<PlanComparison, 'unreadable'>> {
  const addresses = open.map(({ subscription }) => subscription);
  const known = await knownSubscriptions(db, environment, addresses);
  let [chargedOnChain, booked, outside] = [agreed, agreed, 0n];
  const differences: Difference[] = [];
  for (const { subscription, periodStart, byUs, signatures, ...amounts } of open) {
    if (!byUs && !known.has(subscription)) {
      outside += amounts.chargedOnChain;
      continue;
    }
    chargedOnChain += amounts.chargedOnChain;
    booked += amounts.booked;
    const { chargedOnChain: charged, booked: has } = amounts;
    differences.push({
      subscription,
      periodStart,
      chargedOnChain: charged,
      booked: has,
      signatures: [...signatures],
    });
  }
  return { chargedOnChain, booked, differences, outside };
}
