import type { Db } from '../../../db/db.ts';
import type { Environment } from '../../../generated/prisma/client.ts';

const DAY_MS = 86_400_000;
/** A merchant has collected once it has this many customers (`countsAsCustomer`). */
const MIN_CUSTOMERS = 3;

/** A merchant whose rents the collector pays. */
export interface MerchantWithRent {
  /**
   * Whether first payments of three subscriptions are final, each of at least one whole token that
   * the operator names. The other merchants may use half of a daily maximum.
   */
  readonly hasCollected: boolean;
}

/**
 * The merchants among these whose rents the collector pays, by id: those that were created at least
 * `afterDays` ago. Otherwise one owner could create merchants for their rents.
 */
export async function merchantsWithRent(
  db: Pick<Db, '$queryRaw'>,
  environment: Environment,
  merchantIds: readonly string[],
  { now, afterDays }: { readonly now: Date; readonly afterDays: number },
): Promise<ReadonlyMap<string, MerchantWithRent>> {
  if (merchantIds.length === 0) return new Map();
  const createdUntil = new Date(now.getTime() - afterDays * DAY_MS);
  const rows = await db.$queryRaw<(MerchantWithRent & { id: string })[]>`
    SELECT m."id", coalesce(c."customerCount" >= ${MIN_CUSTOMERS}::int, false) AS "hasCollected"
    FROM "Merchant" m LEFT JOIN "ReceiptCounter" c ON c."merchantId" = m."id"
      AND c."environment" = ${environment}::"Environment"
    WHERE m."id" = ANY (${[...new Set(merchantIds)]}::uuid[]) AND m."createdAt" <= ${createdUntil}::timestamptz`;
  return new Map(rows.map(({ id, hasCollected }) => [id, { hasCollected }]));
}

/** The part of a daily maximum for merchants that have not collected yet: half, rounded up. */
export function partForNewMerchants<Amount extends number | bigint>(max: Amount): Amount {
  return (typeof max === 'bigint' ? max - max / 2n : Math.ceil(max / 2)) as Amount;
}
