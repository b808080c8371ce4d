import { combineQueries } from '../../../db/combine-queries.ts';
import { type Db, type PreparedStatement, runPrepared } from '../../../db/db.ts';
import { isDataError } from '../../../db/is-data-error.ts';
import { DEADLOCK_DETECTED, LOCK_NOT_AVAILABLE } from '../../../db/postgres-errors.ts';
import { sqlStateOf } from '../../../db/sql-state.ts';
import type { CheckoutSession, Prisma } from '../../../generated/prisma/client.ts';
import type { Scope } from '../../kernel/access/scope.ts';

/**
 * A statement whose end further sessions wait for waits at most this long for a row that another transaction
 * holds, such as the plan of one session.
 */
const MAX_LOCK_MS = 100;
/** How PostgreSQL ends a statement that waits for a row. */
const WAITS: readonly (string | undefined)[] = [LOCK_NOT_AVAILABLE, DEADLOCK_DETECTED];

/** What the statement that opens a session returns of it. */
export const OPENED_COLUMNS = ['id', 'merchantId', 'environment', 'status', 'expiresAt'] as const;
export type OpenedSession = Pick<CheckoutSession, (typeof OPENED_COLUMNS)[number]>;

/** The identity of a request, by which a repeated request finds its session. */
export interface RequestIdentity extends Scope {
  readonly key: string;
  /** SHA-256 of the request. */
  readonly fingerprint: Buffer<ArrayBuffer>;
  /** Whether a repeated request finds the session only while it is open: no key was sent. */
  readonly onlyWhileOpen: boolean;
}

/** A session to open for a request, unless the key of the request is taken. */
export type NewSession = RequestIdentity &
  Pick<
    CheckoutSession,
    | 'id'
    | 'planId'
    | 'customerEmail'
    | 'customerId'
    | 'successUrl'
    | 'cancelUrl'
    | 'createdAt'
    | 'expiresAt'
    | 'priceId'
    | 'discountId'
    | 'allowsCodes'
  > & { readonly metadata: Prisma.InputJsonObject };

/**
 * Takes the keys and creates the sessions in one statement, without those whose key is taken. Of two
 * concurrent requests the second waits for the first and finds the key taken. A session that this
 * statement cannot see yet counts as open. A taken key is locked, so the standby has the earlier
 * session when this statement ends. Keys are taken in their order, so that two processes cannot deadlock.
 */
const OPEN: PreparedStatement = {
  name: 'checkout.open',
  text: `
    WITH asked AS MATERIALIZED (
      SELECT a.* FROM set_config('lock_timeout', coalesce($2, current_setting('lock_timeout')), true),
        json_to_recordset($1::json) AS a("id" text, "merchantId" uuid, "environment" "Environment", "key" text,
          "fingerprint" bytea, "onlyWhileOpen" boolean, "planId" uuid, "customerEmail" text, "customerId" text,
          "successUrl" text, "cancelUrl" text, "metadata" jsonb, "createdAt" timestamptz, "expiresAt" timestamptz,
          "priceId" uuid, "discountId" uuid, "allowsCodes" boolean)
    ), taken AS (
      INSERT INTO "IdempotencyKey" ("merchantId", "environment", "key", "fingerprint", "sessionId", "expiresAt")
      SELECT "merchantId", "environment", "key", "fingerprint", "id", "expiresAt" FROM asked
      ORDER BY "merchantId", "environment", "key"
      ON CONFLICT ("merchantId", "environment", "key") DO UPDATE
        SET "fingerprint" = EXCLUDED."fingerprint", "sessionId" = EXCLUDED."sessionId",
            "expiresAt" = EXCLUDED."expiresAt"
        WHERE (
          SELECT "IdempotencyKey"."expiresAt" <= asked."createdAt" OR (asked."onlyWhileOpen" AND (
            SELECT "status" <> 'OPEN' FROM "CheckoutSession"
            WHERE "CheckoutSession"."id" = "IdempotencyKey"."sessionId"))
          FROM asked WHERE asked."id" = EXCLUDED."sessionId")
      RETURNING "sessionId")
    INSERT INTO "CheckoutSession" ("id", "merchantId", "environment", "planId", "customerEmail", "customerId",
      "successUrl", "cancelUrl", "metadata", "createdAt", "expiresAt", "priceId", "discountId", "allowsCodes")
    SELECT "id", "merchantId", "environment", "planId", "customerEmail", "customerId",
      "successUrl", "cancelUrl", "metadata", "createdAt", "expiresAt", "priceId", "discountId", "allowsCodes"
    FROM asked JOIN taken ON taken."sessionId" = asked."id"
    RETURNING ${OPENED_COLUMNS.map((column) => `"${column}"`).join(', ')}`,
};

/** The session that was opened; undefined if its key is taken; `apart` if it needs a statement of its own. */
type Opened = OpenedSession | undefined | 'apart';

/**
 * Opens a session. Sessions of concurrent requests share a statement. If PostgreSQL refuses it because of one
 * of them, or it would wait for a row that one of them needs, each gets a statement of its own.
 *
 * @returns undefined if the key is taken
 */
export async function openSession(db: Db, session: NewSession): Promise<OpenedSession | undefined> {
  const opened = await openWithOthers(db, session);
  if (opened !== 'apart') return opened;
  const [alone] = await open(db, [session], null);
  return alone;
}

const openWithOthers = combineQueries<NewSession, Opened>(async (db, sessions) => {
  try {
    return await open(db, sessions, MAX_LOCK_MS);
  } catch (error) {
    if (!isDataError(error) && !WAITS.includes(sqlStateOf(error))) throw error;
    return sessions.map(() => 'apart');
  }
});

/** @param maxLockMs maximum wait for a row that another transaction holds; null: that of the connection */
async function open(
  db: Db,
  sessions: readonly NewSession[],
  maxLockMs: number | null,
): Promise<(OpenedSession | undefined)[]> {
  // A statement cannot take a key twice: the second of two equal requests finds it taken.
  const firstByKey = new Map(
    sessions
      .toReversed()
      .map((session) => [`${session.merchantId} ${session.environment} ${session.key}`, session]),
  );
  const rows = await runPrepared<OpenedSession>(db, OPEN, [
    JSON.stringify([...firstByKey.values()].map(rowOf)),
    maxLockMs,
  ]);
  const opened = new Map(rows.map((row) => [row.id, row]));
  return sessions.map(({ id }) => opened.get(id));
}

function rowOf({ fingerprint, ...session }: NewSession) {
  return { ...session, fingerprint: `\\x${fingerprint.toString('hex')}` };
}
