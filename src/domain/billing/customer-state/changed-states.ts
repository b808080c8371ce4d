// The states that changed after a cursor, so that a backend which was away catches up without its webhooks. A
// state has the timeline of the database and the number of the transaction that wrote its version. Transactions
// become visible in another order than that of their numbers, so of the newest timeline only states of
// transactions before the oldest open one are returned.
import { z } from 'zod';
import type { AppContext } from '../../../app.ts';
import { timelineOf } from '../../../db/timeline.ts';
import { invalidRequest } from '../../../errors.ts';
import { Prisma } from '../../../generated/prisma/client.ts';
import type { Scope } from '../../kernel/access/scope.ts';
import { isStorable } from '../../kernel/input/valid-text.ts';
import { type CustomerStateNow, MAX_STATES, readStates } from './get-states.ts';

/** A page of changed states, in the order of their changes. Each customer is in it once, as it is now. */
export interface ChangedStates {
  readonly states: readonly CustomerStateNow[];
  /** For the next call. It stays valid. */
  readonly cursor: string;
  readonly hasMore: boolean;
}

/** The last state that a caller has. */
interface Position {
  readonly timeline: number;
  readonly changedIn: bigint;
  readonly customerId: string;
}

const START: Position = { timeline: 0, changedIn: 0n, customerId: '' };
const MAX_INT8 = 2n ** 63n - 1n;

const content = z.tuple([
  z.enum(['TEST', 'LIVE']),
  z.uuid(),
  // The timeline in which the cursor was given out.
  z.int().min(1).max(1_000_000),
  z.int().min(0).max(1_000_000),
  z
    .string()
    .regex(/^\d{1,19}$/)
    .transform(BigInt)
    .refine((number) => number <= MAX_INT8),
  z.string().refine(isStorable),
]);

/**
 * The states that changed after the cursor; without one all states, oldest change first.
 *
 * @throws BillingError invalid_request, param `cursor`, also if the database was replaced since it was given out
 */
export async function changedStates(
  ctx: AppContext,
  scope: Scope,
  cursor: string | null | undefined,
): Promise<ChangedStates> {
  const { merchantId, environment } = scope;
  const given = cursor == null ? undefined : readCursor(scope, cursor);
  const after = given?.after ?? START;
  const rows = await ctx.db.$queryRaw<(Position & { readonly newest: number; readonly isState: boolean })[]>`
    WITH "now" AS (
      SELECT ${timelineOf(Prisma.sql`${environment}::"Environment"`)} AS "newest",
        pg_snapshot_xmin(pg_current_snapshot())::text::bigint AS "oldest"
    ), "changed" AS (
      SELECT "timeline", "changedIn", "customerId" FROM "CustomerState", "now"
      WHERE "merchantId" = ${merchantId}::uuid AND "environment" = ${environment}::"Environment" AND "version" > 0
        AND ("timeline" < "newest" OR "changedIn" < "oldest")
        AND ("timeline", "changedIn", "customerId") > (${after.timeline}, ${after.changedIn}, ${after.customerId})
      ORDER BY "timeline", "changedIn", "customerId" LIMIT ${MAX_STATES + 1}
    )
    SELECT "newest", c.*, c."customerId" IS NOT NULL AS "isState"
    FROM "now" LEFT JOIN "changed" c ON true ORDER BY c."timeline", c."changedIn", c."customerId"`;
  const newest = rows[0]?.newest ?? 1;
  if (given && given.givenIn !== newest) {
    throw invalidRequest(
      'cursor',
      'The database was replaced since this cursor was given out, and may have lost its newest changes. Start again without a cursor.',
    );
  }
  const found = rows.filter(({ isState }) => isState);
  const page = found.slice(0, MAX_STATES);
  const states = await readStates(
    ctx,
    scope,
    page.map(({ customerId }) => customerId),
  );
  const last = page.at(-1) ?? after;
  return { states, cursor: writeCursor(scope, newest, last), hasMore: found.length > MAX_STATES };
}

function writeCursor(
  { environment, merchantId }: Scope,
  givenIn: number,
  { timeline, changedIn, customerId }: Position,
): string {
  const fields = [environment, merchantId, givenIn, timeline, String(changedIn), customerId];
  return Buffer.from(JSON.stringify(fields)).toString('base64url');
}

function readCursor(scope: Scope, cursor: string): { readonly givenIn: number; readonly after: Position } {
  const parsed = content.safeParse(parseJson(Buffer.from(cursor, 'base64url').toString()));
  if (!parsed.success) {
    throw invalidRequest('cursor', 'cursor must be the unchanged cursor of an earlier answer.');
  }
  const [environment, merchantId, givenIn, timeline, changedIn, customerId] = parsed.data;
  if (environment !== scope.environment || merchantId !== scope.merchantId) {
    throw invalidRequest('cursor', "cursor must be of the key's merchant and environment.");
  }
  return { givenIn, after: { timeline, changedIn, customerId } };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
