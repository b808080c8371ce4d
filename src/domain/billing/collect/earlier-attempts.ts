import type { AppContext } from '../../../app.ts';
import { PREPARED } from '../../../db/prepared.ts';

/** Failed transactions after which a payment is sent in a separate transaction. */
const MAX_FAILURES = 2;

/** The outcome of a payment's earlier transactions. */
export interface EarlierAttempts {
  /**
   * Whether the payment is sent in a separate transaction: it made a transaction fail although its
   * payer had not failed, or its transactions failed repeatedly. Other payments would fail with it.
   */
  readonly alone: boolean;
  /** The number of expired transactions. */
  readonly expiries: number;
}

/**
 * Reads the outcomes by the payment's id, without payments whose transactions neither failed nor
 * expired.
 */
export async function earlierAttempts(
  { db }: AppContext,
  paymentIds: readonly string[],
): Promise<ReadonlyMap<string, EarlierAttempts>> {
  const rows = await db.$queryRaw<(EarlierAttempts & { paymentId: string })[]>`${PREPARED}
    SELECT a."paymentId", count(*) FILTER (WHERE t."status" = 'EXPIRED')::int AS "expiries",
      count(*) FILTER (WHERE t."status" = 'FAILED') >= ${MAX_FAILURES}
        OR coalesce(bool_or((t."error"->>'instruction')::int = a."instruction")
          FILTER (WHERE t."status" = 'FAILED'), false) AS "alone"
    FROM "Attempt" a JOIN "TransferTransaction" t ON t."id" = a."transactionId"
    WHERE a."paymentId" = ANY(${[...paymentIds]}::uuid[]) AND a."status" = 'VOID'
      AND t."status" IN ('FAILED', 'EXPIRED')
    GROUP BY a."paymentId"`;
  return new Map(rows.map(({ paymentId, ...attempts }) => [paymentId, attempts]));
}
