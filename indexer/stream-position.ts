import type { AppContext } from '../src/app.ts';
import type { Environment } from '../src/generated/prisma/client.ts';

/** The stored position; undefined if there is none. */
export async function loadPosition(
  { db }: Pick<AppContext, 'db'>,
  environment: Environment,
): Promise<bigint | undefined> {
  const row = await db.streamPosition.findUnique({ where: { environment } });
  return row?.slot;
}

/** The state of the leading indexer, stored for other processes. */
export interface Condition {
  /** The newest block seen since the last save; undefined if none. */
  readonly receivedSlot?: bigint | undefined;
  /** The chain's time at the position, in unix seconds, or earlier; undefined if it is not known. */
  readonly time?: bigint | undefined;
  /** A text about updates that may have been missed and are being checked; null if none. */
  readonly doubt: string | null;
}

type Writer = Pick<AppContext, 'db' | 'clock' | 'epoch'>;

/**
 * Stores the position and the condition. An older slot does not replace a newer one, and a leader
 * of an earlier term writes nothing.
 */
export async function savePosition(
  { db, clock, epoch }: Writer,
  environment: Environment,
  slot: bigint,
  { receivedSlot, time, doubt }: Condition,
): Promise<void> {
  const head = receivedSlot ?? null;
  const slotTime = time ?? null;
  const term = epoch ?? null;
  await db.$executeRaw`
    INSERT INTO "StreamPosition" AS p
      ("environment", "slot", "slotTime", "updatedAt", "headSlot", "heardAt", "doubt", "doubtSince", "epoch")
    VALUES (${environment}::"Environment", ${slot}, ${slotTime}::bigint, ${clock.now()}, ${head}::bigint,
      CASE WHEN ${head}::bigint IS NOT NULL THEN now() END,
      ${doubt}::text, CASE WHEN ${doubt}::text IS NOT NULL THEN now() END,
      coalesce(${term}::bigint, 0))
    ON CONFLICT ("environment") DO UPDATE SET
      "slot" = greatest(p."slot", EXCLUDED."slot"),
      "slotTime" = greatest(p."slotTime", EXCLUDED."slotTime"),
      "updatedAt" = CASE WHEN p."slot" < EXCLUDED."slot" THEN EXCLUDED."updatedAt" ELSE p."updatedAt" END,
      "headSlot" = greatest(EXCLUDED."headSlot", p."headSlot"),
      "heardAt" = coalesce(EXCLUDED."heardAt", p."heardAt"),
      "doubt" = EXCLUDED."doubt",
      "doubtSince" = CASE WHEN EXCLUDED."doubt" IS NOT NULL THEN coalesce(p."doubtSince", now()) END,
      "epoch" = greatest(p."epoch", EXCLUDED."epoch")
    WHERE ${term}::bigint IS NULL OR p."epoch" <= ${term}::bigint`;
}

/**
 * The slot up to which transactions were also read by signature, by any leader; undefined if never.
 */
export async function loadSearchedSlot(
  { db }: Pick<AppContext, 'db'>,
  environment: Environment,
): Promise<bigint | undefined> {
  const row = await db.streamPosition.findUnique({ where: { environment } });
  return row?.reconciledSlot ?? undefined;
}

/** Stores the slot of `loadSearchedSlot`, as `savePosition` does. */
export async function saveSearchedSlot(
  { db, epoch }: Omit<Writer, 'clock'>,
  environment: Environment,
  slot: bigint,
): Promise<void> {
  const term = epoch ?? null;
  await db.$executeRaw`
    UPDATE "StreamPosition" SET "reconciledSlot" = greatest("reconciledSlot", ${slot}::bigint)
    WHERE "environment" = ${environment}::"Environment"
      AND (${term}::bigint IS NULL OR "epoch" <= ${term}::bigint)`;
}

/**
 * The address after which the current round of the comparison continues; empty if no round is
 * running.
 */
export async function loadComparedAddress(
  { db }: Pick<AppContext, 'db'>,
  environment: Environment,
): Promise<string> {
  const row = await db.streamPosition.findUnique({ where: { environment } });
  return row?.comparedTo ?? '';
}

/** Stores the address of `loadComparedAddress`; null ends the round. */
export async function saveComparedAddress(
  { db, clock, epoch }: Writer,
  environment: Environment,
  comparedTo: string | null,
): Promise<void> {
  const ended = comparedTo === null && { comparedAt: clock.now() };
  const isOurs = epoch !== undefined && { epoch: { lte: epoch } };
  await db.streamPosition.updateMany({ where: { environment, ...isOurs }, data: { comparedTo, ...ended } });
}
