import type { AppContext } from '../../../app.ts';
import { invalidRequest } from '../../../errors.ts';
import { Prisma } from '../../../generated/prisma/client.ts';
import { inTransaction } from '../../../jobs/in-transaction.ts';
import type { Scope } from '../../kernel/access/scope.ts';
import { validText } from '../../kernel/input/valid-text.ts';
import { notifyRelay } from '../../messages/event/notify-relay.ts';
import { recordStates, uuidOf } from './record-states.ts';
import { NO_ACCESS, parseDocument, type StateDocument } from './state-document.ts';

/** What a customer may do now. */
export interface CustomerStateNow extends StateDocument {
  readonly customerId: string;
  /** The number of changes so far; 0 of a customer who never subscribed. */
  readonly version: number;
  /** When it changes by time alone; null if it does not. */
  readonly validUntil: Date | null;
  readonly asOf: AsOf;
}

/** How far dues has followed the chain. */
export interface AsOf {
  /** All changes on chain up to this slot are in the state; null if no indexer has run. */
  readonly slot: bigint | null;
  /** Seconds since a block was last seen, by which the state may be behind; null if none was seen. */
  readonly mirrorBehindSeconds: number | null;
}

/** Maximum customers in one request. */
export const MAX_STATES = 100;
/** Maximum characters of a customer's id. */
const MAX_ID = 255;

interface StateRow extends AsOf {
  readonly customerId: string;
  readonly version: number | null;
  readonly document: unknown;
  readonly changesAt: Date | null;
  /** Whether it must be recorded before it can be returned. */
  readonly isOutdated: boolean;
}

/**
 * What a customer may do. A customer who never subscribed has no access.
 *
 * @throws BillingError invalid_request, param `customerId`
 */
export async function getState(ctx: AppContext, scope: Scope, customerId: string): Promise<CustomerStateNow> {
  validText('customerId', customerId, MAX_ID);
  const [state] = await readStates(ctx, scope, [customerId]);
  if (!state) throw new Error('one state was asked for');
  return state;
}

/**
 * What up to 100 customers may do, in their order.
 *
 * @throws BillingError invalid_request, param `customerIds`
 */
export async function getStates(
  ctx: AppContext,
  scope: Scope,
  customerIds: readonly string[],
): Promise<CustomerStateNow[]> {
  if (customerIds.length > MAX_STATES) {
    throw invalidRequest(
      'customerIds',
      `customerIds are ${customerIds.length}, and must be at most ${MAX_STATES}.`,
    );
  }
  for (const customerId of customerIds) validText('customerIds', customerId, MAX_ID);
  return readStates(ctx, scope, customerIds);
}

/** Reads states, and first records those that time or a mark has changed, so that none is outdated. */
export async function readStates(
  ctx: AppContext,
  scope: Scope,
  customerIds: readonly string[],
): Promise<CustomerStateNow[]> {
  const rows = await selectStates(ctx, scope, customerIds);
  const outdated = rows.filter(({ isOutdated }) => isOutdated).map(({ customerId }) => customerId);
  if (outdated.length === 0) return rows.map(stateOf);
  await inTransaction(ctx, (tx) =>
    recordStates(
      tx,
      [...new Set(outdated)].map((customerId) => ({ ...scope, customerId })),
      ctx.clock.now(),
      { isFirst: true },
    ),
  );
  await notifyRelay(ctx);
  return (await selectStates(ctx, scope, customerIds)).map(stateOf);
}

function stateOf({
  customerId,
  version,
  document,
  changesAt,
  slot,
  mirrorBehindSeconds,
}: StateRow): CustomerStateNow {
  return {
    ...(document === null ? NO_ACCESS : parseDocument(document)),
    customerId,
    version: version ?? 0,
    validUntil: changesAt,
    asOf: {
      slot,
      mirrorBehindSeconds: mirrorBehindSeconds === null ? null : Math.floor(mirrorBehindSeconds),
    },
  };
}

function selectStates(
  { db, clock }: Pick<AppContext, 'db' | 'clock'>,
  { merchantId, environment }: Scope,
  customerIds: readonly string[],
): Promise<StateRow[]> {
  return db.$queryRaw<StateRow[]>`
    SELECT k."customerId", s."version", s."document", s."changesAt", p."slot",
      extract(epoch FROM now() - p."heardAt")::float8 AS "mirrorBehindSeconds",
      coalesce(s."changesAt" <= ${clock.now()}, false) OR (
        EXISTS (SELECT FROM "StateRefresh" WHERE "merchantId" = ${merchantId}::uuid AND "environment" = ${environment}::"Environment")
        AND (s."version" IS NOT NULL OR EXISTS (
          SELECT FROM "Customer" WHERE "merchantId" = ${merchantId}::uuid AND "environment" = ${environment}::"Environment"
            AND ("customerId" = k."customerId" OR ("id" = ${uuidOf(Prisma.sql`k."customerId"`)} AND "customerId" IS NULL))))
      ) AS "isOutdated"
    FROM unnest(${customerIds as string[]}::text[]) WITH ORDINALITY AS k("customerId", "at")
      LEFT JOIN "CustomerState" s ON s."merchantId" = ${merchantId}::uuid AND s."environment" = ${environment}::"Environment"
        AND s."customerId" = k."customerId"
      LEFT JOIN "StreamPosition" p ON p."environment" = ${environment}::"Environment"
    ORDER BY k."at"`;
}
