import type { Address } from '@solana/kit';
import { v7 } from 'uuid';
import type { AppContext } from '../../src/app.ts';
import type { TouchedAccount } from '../../src/chain/accounts/touched-accounts.ts';
import { MAX_UNAPPLIED } from '../../src/domain/chain-state/mirror/unapplied-updates.ts';
import type { Environment } from '../../src/generated/prisma/client.ts';

/** The subject of an update, with all that is needed to read it again. */
export type Subject =
  | { readonly kind: 'account'; readonly address: Address; readonly touched?: TouchedAccount }
  | { readonly kind: 'transaction'; readonly signature: string };

/** An update that could not be applied. */
export interface Unapplied {
  readonly subject: Subject;
  readonly slot: bigint;
  /** The account data in base64, for diagnosis. */
  readonly data?: string;
}

/**
 * Stores an update that could not be applied, so that it is read again. There is one open row per
 * subject, because repeated failures have one cause. Returns false if there are too many open rows:
 * the caller must then not treat the update as done.
 */
export async function setAside(
  { db, log, clock }: Pick<AppContext, 'db' | 'log' | 'clock'>,
  environment: Environment,
  { subject, slot, data }: Unapplied,
  cause: unknown,
): Promise<boolean> {
  const error = cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
  const payload = JSON.stringify({ ...subject, ...(data && { data }) });
  const id = subject.kind === 'account' ? subject.address : subject.signature;
  const now = clock.now();
  const kept = await db.$executeRaw`
    INSERT INTO "UnappliedUpdate" ("id", "environment", "kind", "subject", "slot", "payload", "error", "createdAt", "triedAt")
    SELECT ${v7()}::uuid, ${environment}::"Environment", ${subject.kind}, ${id}, ${slot}, ${payload}::jsonb, ${error}, ${now}, ${now}
    WHERE (
      SELECT count(*) FROM (
        SELECT 1 FROM "UnappliedUpdate"
        WHERE "environment" = ${environment}::"Environment" AND "resolvedAt" IS NULL LIMIT ${MAX_UNAPPLIED}
      ) AS open_rows
    ) < ${MAX_UNAPPLIED} OR EXISTS (
      SELECT 1 FROM "UnappliedUpdate"
      WHERE "environment" = ${environment}::"Environment" AND "kind" = ${subject.kind} AND "subject" = ${id}
        AND "resolvedAt" IS NULL)
    ON CONFLICT ("environment", "kind", "subject") WHERE "resolvedAt" IS NULL DO UPDATE SET
      "slot" = EXCLUDED."slot", "payload" = EXCLUDED."payload", "error" = EXCLUDED."error",
      "createdAt" = EXCLUDED."createdAt", "triedAt" = EXCLUDED."triedAt"`;
  const facts = { err: cause, environment, ...subject, slot: `${slot}` };
  if (kept > 0) log.error(facts, 'update not applied: set aside');
  else log.error(facts, 'update not applied, too many set aside: position kept before its slot');
  return kept > 0;
}
