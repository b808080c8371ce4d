import { advisoryLock, ENVIRONMENT_PART } from '../../../db/advisory-locks.ts';
import { recordsOf } from '../../../db/bulk.ts';
import type { Db, DbTransaction } from '../../../db/db.ts';
import { type Environment, Prisma } from '../../../generated/prisma/client.ts';
import { TOKEN_ACCOUNT_LAMPORTS } from '../../chain-state/collector/lamport-amounts.ts';
import { merchantsWithRent, partForNewMerchants } from '../../chain-state/collector/merchants-with-rent.ts';

// If a merchant's token account is missing, the collector pays for a new one: once per merchant and
// environment, and only for the environment's default mint. The owner of an account gets its rent
// back on closing it. Without this limit a merchant could earn the rent by closing the account
// after each payment, or by using a new mint for each. Accounts of other mints are created with the
// plan, at the merchant's cost. A daily maximum limits the total of all merchants, and half of it
// is kept for those that have collected.

/** The time that the daily maximum covers. */
const DAY_MS = 24 * 3_600_000;

/** Names a merchant's token account of a mint. */
export interface ReceiverKey {
  readonly merchantId: string;
  readonly mint: string;
}

export type ReceiverCreation =
  /** Created once, and never again. `slot` is that of its transaction; null if it is not known. */
  | { readonly kind: 'created'; readonly slot: bigint | null }
  /** A transaction that creates it may still land. */
  | { readonly kind: 'in_flight' };

export const receiverKeyOf = ({ merchantId, mint }: ReceiverKey) => `${merchantId} ${mint}`;

/** What dues knows of a merchant's token accounts of a mint. */
export interface ReceiverFacts {
  /** The number of accounts that the merchant uses. */
  readonly accounts: number;
  /** Undefined if dues has not created the associated account. */
  readonly creation: ReceiverCreation | undefined;
}

/** The facts about receivers, by `receiverKeyOf`. Those with the associated account only are not included. */
export async function readReceiverFacts(
  db: Pick<Db, '$queryRaw'>,
  environment: Environment,
  receivers: readonly ReceiverKey[],
): Promise<ReadonlyMap<string, ReceiverFacts>> {
  if (receivers.length === 0) return new Map();
  const distinct = [...new Map(receivers.map((receiver) => [receiverKeyOf(receiver), receiver])).values()];
  const rows = await db.$queryRaw<
    (ReceiverKey & { count: number | null; isCreated: boolean; isOpen: boolean; slot: bigint | null })[]
  >`
    SELECT r."merchantId", r."mint", u."count", a."merchantId" IS NOT NULL AS "isCreated",
      coalesce(t."status" = 'SUBMITTED', false) AS "isOpen", t."slot"
    FROM ${recordsOf('ReceiverAccount', distinct)} AS r
      LEFT JOIN "ReceivingAccounts" u ON u."environment" = ${environment}::"Environment"
        AND u."merchantId" = r."merchantId" AND u."mint" = r."mint"
      LEFT JOIN ("ReceiverAccount" a LEFT JOIN "TransferTransaction" t ON t."id" = a."transactionId")
        ON a."environment" = ${environment}::"Environment" AND a."merchantId" = r."merchantId"
          AND a."mint" = r."mint" AND NOT ${NEVER_LANDED}
    WHERE u."count" IS NOT NULL OR a."merchantId" IS NOT NULL`;
  return new Map(
    rows.map(({ count, isCreated, isOpen, slot, ...key }) => {
      const created: ReceiverCreation = isOpen ? { kind: 'in_flight' } : { kind: 'created', slot };
      return [receiverKeyOf(key), { accounts: count ?? 1, creation: isCreated ? created : undefined }];
    }),
  );
}

/** The numbers of accounts that may still be created today. */
export interface ReceiversLeft {
  readonly all: number;
  /** For merchants that have not collected yet; at most `all`. */
  readonly forNew: number;
}

/**
 * The accounts that may still be created: `max` per day, less those whose transactions landed or
 * may still land.
 */
export async function receiversLeft(
  db: Pick<Db, '$queryRaw'>,
  environment: Environment,
  max: number,
  now: Date,
): Promise<ReceiversLeft> {
  const since = new Date(now.getTime() - DAY_MS);
  const [used] = await db.$queryRaw<{ all: number; byNew: number }[]>`
    SELECT count(*)::int AS "all",
      (count(*) FILTER (WHERE a."wasNew"))::int AS "byNew"
    FROM "ReceiverAccount" a LEFT JOIN "TransferTransaction" t ON t."id" = a."transactionId"
    WHERE a."environment" = ${environment}::"Environment" AND a."createdAt" > ${since}::timestamptz
      AND NOT ${NEVER_LANDED}`;
  const all = Math.max(max - (used?.all ?? 0), 0);
  return { all, forNew: Math.min(all, Math.max(partForNewMerchants(max) - (used?.byNew ?? 0), 0)) };
}

export interface ReceiverToCreate extends ReceiverKey {
  readonly transactionId: string;
  readonly collector: string;
}

/**
 * Records that transactions will create these accounts: at most `max` per day, and first those of
 * merchants that have collected before. Returns the ids of the transactions that must not be sent,
 * because another one creates the account, the daily maximum is reached, or the merchant is too
 * new.
 */
export async function reserveReceivers(
  tx: DbTransaction,
  environment: Environment,
  requested: readonly ReceiverToCreate[],
  { now, max, afterDays }: { readonly now: Date; readonly max: number; readonly afterDays: number },
): Promise<ReadonlySet<string>> {
  if (requested.length === 0) return new Set();
  // One worker at a time, so that two together do not exceed the maximum.
  await tx.$executeRaw`SELECT ${Prisma.raw(advisoryLock('receivers', ENVIRONMENT_PART[environment]))}`;
  // Rows are inserted in the order of their keys. The table has at most one row per account.
  const rows = requested.toSorted((a, b) => (receiverKeyOf(a) < receiverKeyOf(b) ? -1 : 1));
  const ids = rows.map(({ merchantId }) => merchantId);
  const merchants = await merchantsWithRent(tx, environment, ids, { now, afterDays });
  const left = await receiversLeft(tx, environment, max, now);
  const known = rows.flatMap((row) => {
    const merchant = merchants.get(row.merchantId);
    return merchant ? [{ ...row, wasNew: !merchant.hasCollected }] : [];
  });
  const ofNew = known.filter(({ wasNew }) => wasNew).slice(0, left.forNew);
  const fitting = [...known.filter(({ wasNew }) => !wasNew), ...ofNew];
  const reserved = await tx.$queryRaw<{ transactionId: string }[]>`
    INSERT INTO "ReceiverAccount" AS a (
      "environment", "merchantId", "mint", "transactionId", "collector", "lamports", "createdAt", "wasNew")
    SELECT ${environment}::"Environment", r."merchantId", r."mint", r."transactionId", r."collector",
      ${TOKEN_ACCOUNT_LAMPORTS}::bigint, ${now}::timestamptz, r."wasNew"
    FROM ${recordsOf('ReceiverAccount', fitting.slice(0, left.all))} AS r
    ON CONFLICT ("environment", "merchantId", "mint") DO UPDATE
    SET "transactionId" = EXCLUDED."transactionId", "collector" = EXCLUDED."collector",
      "lamports" = EXCLUDED."lamports", "createdAt" = EXCLUDED."createdAt", "wasNew" = EXCLUDED."wasNew"
    WHERE EXISTS (SELECT FROM "TransferTransaction" t WHERE t."id" = a."transactionId" AND ${NEVER_LANDED})
    RETURNING a."transactionId"`;
  const reservedIds = new Set(reserved.map(({ transactionId }) => transactionId));
  return new Set(
    rows.flatMap(({ transactionId }) => (reservedIds.has(transactionId) ? [] : [transactionId])),
  );
}

/**
 * Whether transaction "t", which creates the account, can no longer land. If its row was deleted, the
 * account counts as created.
 */
const NEVER_LANDED = Prisma.sql`coalesce(t."status" IN ('EXPIRED', 'FAILED'), false)`;
