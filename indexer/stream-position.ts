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

/** Moves forward only: one who comes late with an older slot changes nothing. */
export async function savePosition(
  { db, clock }: Pick<AppContext, 'db' | 'clock'>,
  environment: Environment,
  slot: bigint,
): Promise<void> {
  await db.$executeRaw`
    INSERT INTO "StreamPosition" ("environment", "slot", "updatedAt")
    VALUES (${environment}::"Environment", ${slot}, ${clock.now()})
    ON CONFLICT ("environment") DO UPDATE SET "slot" = EXCLUDED."slot", "updatedAt" = EXCLUDED."updatedAt"
    WHERE "StreamPosition"."slot" < EXCLUDED."slot"`;
}
