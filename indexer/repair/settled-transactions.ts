import { type Address, address, type Signature } from '@solana/kit';
import type { SignatureInfo } from '../../src/chain/rpc/chain-transaction.ts';
import { type PreparedStatement, runPrepared } from '../../src/db/db.ts';
import { applyAll } from '../apply/apply-all.ts';
import type { Mirror } from '../apply/mirror.ts';
import { readFresh } from '../apply/read-fresh.ts';

/**
 * The signatures among these whose transactions dues sent and has settled. Such a transaction has
 * nothing but pulls, and the ledger has them all, so it need not be read. The subscriptions that
 * the mirror shows as they were before it are read here, up to 99 per call, and applied.
 *
 * @throws if the cluster does not respond or the mirror was stopped
 */
export async function applySettled(
  mirror: Mirror,
  infos: readonly SignatureInfo[],
): Promise<ReadonlySet<Signature>> {
  const { ctx, environment, chain } = mirror;
  const { db } = ctx;
  if (infos.length === 0) return new Set();
  const rows = await runPrepared<Settled>(db, SETTLED, [
    environment,
    infos.map(({ signature }) => signature),
    infos.map(({ slot }) => slot),
  ]);
  const older = new Set<Address>();
  let newest = 0n;
  for (const row of rows) {
    for (const subscription of row.older ?? []) older.add(address(subscription));
    if (row.older && BigInt(row.slot) > newest) newest = BigInt(row.slot);
  }
  if (older.size > 0) await applyAll(mirror, await readFresh(chain, [...older], newest));
  return new Set(rows.map(({ signature }) => signature));
}

interface Settled {
  readonly signature: Signature;
  readonly slot: string;
  /** Its subscriptions whose mirrored state is older; null if there are none. */
  readonly older: readonly string[] | null;
}

// A transaction with a pull that is not settled, of which the ledger may lack a transfer, is read again.
const SETTLED: PreparedStatement = {
  name: 'mirror.settled',
  text: `
    SELECT t."signature", n."slot",
      array_agg(c."subscriptionAddress") FILTER (WHERE a."slot" IS NULL OR a."slot" < n."slot") AS "older"
    FROM unnest($2::text[], $3::bigint[]) AS n("signature", "slot")
    JOIN "TransferTransaction" t ON t."signature" = n."signature" AND t."environment" = $1::"Environment"
    JOIN "ChainTransfer" c ON c."environment" = t."environment" AND c."signature" = t."signature"
    LEFT JOIN "ChainAccount" a ON a."environment" = c."environment" AND a."address" = c."subscriptionAddress"
    WHERE t."status" = 'LANDED'
    GROUP BY t."id", n."slot"
    HAVING count(c."paymentId") = (SELECT count(*) FROM "Attempt" p WHERE p."transactionId" = t."id")`,
};
