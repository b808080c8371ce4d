// The states that changed after a cursor, so that a backend which was away catches up without its webhooks. A
// state has the number of the transaction that wrote its version. Transactions become visible in another
// order than that of their numbers, so only states of transactions before the oldest open one are returned.
import { z } from 'zod';
import type { AppContext } from '../../../app.ts';
import { invalidRequest } from '../../../errors.ts';
import { Prisma } from '../../../generated/prisma/client.ts';
import type { Scope } from '../../kernel/access/scope.ts';
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

const content = z.tuple([z.int().positive(), z.string().regex(/^\d{1,19}$/), z.string()]);

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
  const after = cursor == null ? undefined : positionOf(cursor);
  const rows = await ctx.db.$queryRaw<(Position & { readonly isState: boolean })[]>`
    WITH "now" AS (
      SELECT coalesce((SELECT max("number") FROM "DatabaseTimeline" WHERE "environment" = ${environment}::"Environment"), 1) AS "timeline",
        pg_snapshot_xmin(pg_current_snapshot())::text::bigint AS "oldest"
    ), "changed" AS (
      SELECT "changedIn", "customerId" FROM "CustomerState", "now"
      WHERE "merchantId" = ${merchantId}::uuid AND "environment" = ${environment}::"Environment"
        AND "changedIn" > 0 AND "changedIn" < "now"."oldest"
        ${after ? Prisma.sql`AND ("changedIn", "customerId") > (${after.changedIn}, ${after.customerId})` : Prisma.empty}
      ORDER BY "changedIn", "customerId" LIMIT ${MAX_STATES + 1}
    )
    SELECT "now"."timeline", c."changedIn", c."customerId", c."customerId" IS NOT NULL AS "isState"
    FROM "now" LEFT JOIN "changed" c ON true ORDER BY c."changedIn", c."customerId"`;
  const timeline = rows[0]?.timeline ?? 1;
  if (after && after.timeline !== timeline) {
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
  const last = page.at(-1) ?? after ?? { changedIn: 0n, customerId: '' };
  return { states, cursor: cursorOf({ ...last, timeline }), hasMore: found.length > MAX_STATES };
}

function cursorOf({ timeline, changedIn, customerId }: Position): string {
  return Buffer.from(JSON.stringify([timeline, String(changedIn), customerId])).toString('base64url');
}

function positionOf(cursor: string): Position {
  const parsed = content.safeParse(parseJson(Buffer.from(cursor, 'base64url').toString()));
  if (!parsed.success) {
    throw invalidRequest('cursor', 'cursor must be the unchanged cursor of an earlier answer.');
  }
  const [timeline, changedIn, customerId] = parsed.data;
  return { timeline, changedIn: BigInt(changedIn), customerId };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
