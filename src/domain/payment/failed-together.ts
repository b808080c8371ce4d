import type { AppContext } from '../../app.ts';

/** So often a payment's transaction may fail for another one's sake before it is tried without company. */
const MOST_FAILURES = 2;

/**
 * Which of these payments are to be tried alone: those that made a transaction fail without it being the payer's doing,
 * and those whose transactions failed again and again. Everybody else's payment would fail with them.
 */
export async function failedTogether(
  { db }: AppContext,
  paymentIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await db.$queryRaw<{ paymentId: string }[]>`
    SELECT a."paymentId" FROM "Attempt" a JOIN "TransferTransaction" t ON t."id" = a."transactionId"
    WHERE a."paymentId" = ANY(${[...paymentIds]}::uuid[]) AND a."status" = 'VOID' AND t."status" = 'FAILED'
    GROUP BY a."paymentId"
    HAVING count(*) >= ${MOST_FAILURES} OR bool_or((t."error"->>'instruction')::int = a."instruction")`;
  return new Set(rows.map(({ paymentId }) => paymentId));
}
