import type { AppContext } from '../src/app.ts';
import type { Environment } from '../src/generated/prisma/client.ts';

/** How far the chain has been worked through; undefined where it never was. */
export async function loadPosition(
  { db }: Pick<AppContext, 'db'>,
  environment: Environment,
): Promise<bigint | undefined> {
  const row = await db.streamPosition.findUnique({ where: { environment } });
  return row?.slot;
}

/** How the one who follows the chain is, for whoever wants to know in another process. */
export interface Condition {
  /** The newest block that was heard of since this was saved last; undefined where none was. */
  readonly heard?: bigint | undefined;
  /** What may have been missed and is being looked for, in words; null where nothing is. */
  readonly doubt: string | null;
}

/** The slot moves forward only: one who comes late with an older one changes nothing about it. */
export async function savePosition(
  { db, clock }: Pick<AppContext, 'db' | 'clock'>,
  environment: Environment,
  slot: bigint,
  { heard, doubt }: Condition,
): Promise<void> {
  const head = heard ?? null;
  await db.$executeRaw`
    INSERT INTO "StreamPosition" AS p ("environment", "slot", "updatedAt", "headSlot", "heardAt", "doubt", "doubtSince")
    VALUES (${environment}::"Environment", ${slot}, ${clock.now()}, ${head}::bigint,
      CASE WHEN ${head}::bigint IS NOT NULL THEN now() END,
      ${doubt}::text, CASE WHEN ${doubt}::text IS NOT NULL THEN now() END)
    ON CONFLICT ("environment") DO UPDATE SET
      "slot" = greatest(p."slot", EXCLUDED."slot"),
      "updatedAt" = CASE WHEN p."slot" < EXCLUDED."slot" THEN EXCLUDED."updatedAt" ELSE p."updatedAt" END,
      "headSlot" = coalesce(EXCLUDED."headSlot", p."headSlot"),
      "heardAt" = coalesce(EXCLUDED."heardAt", p."heardAt"),
      "doubt" = EXCLUDED."doubt",
      "doubtSince" = CASE WHEN EXCLUDED."doubt" IS NOT NULL THEN coalesce(p."doubtSince", now()) END`;
}

/** Up to where transactions were read by their signatures as well, by whoever led then; undefined where nobody has. */
export async function loadReconciled(
  { db }: Pick<AppContext, 'db'>,
  environment: Environment,
): Promise<bigint | undefined> {
  const row = await db.streamPosition.findUnique({ where: { environment } });
  return row?.reconciledSlot ?? undefined;
}

/** Moves forward only, as the position does. */
export async function saveReconciled(
  { db }: Pick<AppContext, 'db'>,
  environment: Environment,
  slot: bigint,
): Promise<void> {
  await db.$executeRaw`
    UPDATE "StreamPosition" SET "reconciledSlot" = greatest("reconciledSlot", ${slot}::bigint)
    WHERE "environment" = ${environment}::"Environment"`;
}
