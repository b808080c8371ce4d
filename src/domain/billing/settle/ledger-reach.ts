// Whether the ledger has all transfers of a period. Only then is one without a transfer unpaid.
//
// A pull belongs to the period that contains the time of its block. The chain's time never goes
// back, so when the indexer's position is at or after the end of a period, every transaction of the
// period was applied or set aside. Two kinds of transfers may still be missing then:
//
// 1. That of a transaction which was set aside. What it contains is unknown, but its time is not
//    later than that at which it was set aside, so periods that began after that are not affected.
// 2. A transfer that is stored but not settled, because its subscription was not known.
import { MAX_CLOCK_DIFFERENCE_SECONDS } from '../../../clock.ts';
import type { DbTransaction } from '../../../db/db.ts';
import type { Environment } from '../../../generated/prisma/client.ts';
import type { PaymentPeriod } from '../schedule/period.ts';

/** The periods for which the ledger is complete. */
export interface Ledger {
  /** Whether it has all transfers of a period of one of the subscriptions that were named. */
  isComplete(subscriptionAddress: string, period: Pick<PaymentPeriod, 'periodStart' | 'periodEnd'>): boolean;
}

export interface LedgerReach extends Ledger {
  /** The chain's time up to which all transactions were applied or set aside, in unix seconds. */
  readonly readTo: bigint;
  /** Periods that begin before this time may have a transfer that was set aside. */
  readonly setAsideTo: bigint;
}

/** The year 9999. */
const ALWAYS = 253_402_300_799n;

/** Reads the ledger of the subscriptions whose periods may be missed. Often there are none. */
export async function readLedger(
  db: Pick<DbTransaction, '$queryRaw'>,
  environment: Environment,
  subscriptionAddresses: readonly string[],
): Promise<Ledger> {
  if (subscriptionAddresses.length === 0) return { isComplete: () => false };
  return readLedgerReach(db, environment, subscriptionAddresses);
}

/**
 * Reads for which periods of some subscriptions the ledger is complete. If no indexer has ever run,
 * there is nothing to wait for, and every period is complete.
 */
export async function readLedgerReach(
  db: Pick<DbTransaction, '$queryRaw'>,
  environment: Environment,
  subscriptionAddresses: readonly string[],
): Promise<LedgerReach> {
  // One statement: an update is set aside before the position passes it.
  const [row] = await db.$queryRaw<{ readTo: bigint; setAsideTo: bigint; waiting: string[] }[]>`
    SELECT coalesce("slotTime", 0) AS "readTo",
      coalesce((
        SELECT floor(extract(epoch FROM max("createdAt")))::bigint + ${MAX_CLOCK_DIFFERENCE_SECONDS}
        FROM "UnappliedUpdate"
        WHERE "environment" = ${environment}::"Environment" AND "kind" = 'transaction' AND "resolvedAt" IS NULL
      ), 0)::bigint AS "setAsideTo",
      ARRAY(
        SELECT DISTINCT "subscriptionAddress" || ' ' || "periodStart" FROM "ChainTransfer"
        WHERE "environment" = ${environment}::"Environment" AND "paymentId" IS NULL
          AND "subscriptionAddress" = ANY(${subscriptionAddresses})
      ) AS "waiting"
    FROM "StreamPosition" WHERE "environment" = ${environment}::"Environment"`;
  const { readTo, setAsideTo, waiting } = row ?? { readTo: ALWAYS, setAsideTo: 0n, waiting: [] };
  const isWaiting = new Set(waiting);
  return {
    readTo,
    setAsideTo,
    isComplete: (address, { periodStart, periodEnd }) =>
      periodEnd <= readTo && periodStart > setAsideTo && !isWaiting.has(`${address} ${periodStart}`),
  };
}
