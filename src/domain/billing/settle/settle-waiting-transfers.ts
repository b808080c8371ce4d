import type { AppContext } from '../../../app.ts';
import { type Environment, Prisma } from '../../../generated/prisma/client.ts';
import { settleTransfersAt } from './settle-transactions.ts';

/** Number of the newest transfers, which every call checks. */
const NEWEST_TRANSFERS = 500;
/**
 * Transfers checked per call of the walk. `payments.tidy` calls it every 15 seconds, so 300,000
 * transfers take 15 minutes.
 */
export const TRANSFERS_PER_CALL = 5_000;

/** The position of a transfer in the ledger's order. */
interface LedgerPosition {
  readonly slot: bigint;
  readonly signature: string;
  readonly index: number;
}

/** The progress of the walk through the waiting transfers. It starts again after the last one. */
export class WaitingTransfers {
  last: LedgerPosition = BEFORE_ALL;
}

const BEFORE_ALL: LedgerPosition = { slot: -1n, signature: '', index: 0 };

/**
 * Settles transfers that were seen before their subscription was known, and that were not settled
 * when it became known: the process crashed, or the transfer was seen at the same time.
 *
 * Transfers of people who subscribed without dues wait forever, and there may be many. Each call
 * therefore checks the newest ones, and a limited number from where the last call stopped.
 */
export async function settleWaitingTransfers(
  ctx: AppContext,
  environment: Environment,
  walk = new WaitingTransfers(),
): Promise<void> {
  const [newest, next] = await Promise.all([
    readNewestAddresses(ctx, environment),
    continueWalk(ctx, environment, walk.last),
  ]);
  walk.last = next.last ?? BEFORE_ALL;
  for (const address of new Set([...newest, ...next.addresses])) {
    await settleTransfersAt(ctx, environment, address).catch((err: unknown) =>
      ctx.log.error({ err, environment, subscription: address }, 'transfers not settled'),
    );
  }
}

async function readNewestAddresses({ db }: AppContext, environment: Environment): Promise<string[]> {
  const rows = await db.$queryRaw<{ address: string }[]>`
    WITH page AS MATERIALIZED (
      SELECT "subscriptionAddress" AS "address", "periodStart" FROM "ChainTransfer"
      WHERE "environment" = ${environment}::"Environment" AND "paymentId" IS NULL
      ORDER BY "slot" DESC LIMIT ${NEWEST_TRANSFERS})
    ${selectKnownAddresses(environment)}`;
  return rows.map(({ address }) => address);
}

interface WalkedPage {
  readonly addresses: readonly string[];
  /** The position at which the walk continues; null at the end. */
  readonly last: LedgerPosition | null;
}

async function continueWalk(
  { db }: AppContext,
  environment: Environment,
  after: LedgerPosition,
): Promise<WalkedPage> {
  const { slot, signature, index } = after;
  // Only our addresses are returned: most transfers are not of our subscriptions.
  const [row] = await db.$queryRaw<
    { addresses: string[]; last: (Omit<LedgerPosition, 'slot'> & { slot: string })[] }[]
  >`
    WITH page AS MATERIALIZED (
      SELECT "slot", "signature", "index", "subscriptionAddress" AS "address", "periodStart" FROM "ChainTransfer"
      WHERE "environment" = ${environment}::"Environment" AND "paymentId" IS NULL AND "slot" >= ${slot}
        AND ("slot", "signature", "index") > (${slot}, ${signature}, ${index})
      ORDER BY "slot", "signature", "index" LIMIT ${TRANSFERS_PER_CALL})
    SELECT ARRAY(${selectKnownAddresses(environment)}) AS "addresses", coalesce((
      SELECT jsonb_agg(jsonb_build_object('slot', "slot"::text, 'signature', "signature", 'index', "index"))
      FROM (SELECT * FROM page ORDER BY "slot", "signature", "index" OFFSET ${TRANSFERS_PER_CALL - 1}) AS "end"
    ), '[]') AS "last"`;
  const [last] = row?.last ?? [];
  return { addresses: row?.addresses ?? [], last: last ? { ...last, slot: BigInt(last.slot) } : null };
}

/**
 * The addresses on the page at which a subscription of ours existed in the transfer's period.
 * `OFFSET 0` makes PostgreSQL look up each one by index; a join would read all subscriptions.
 */
function selectKnownAddresses(environment: Environment): Prisma.Sql {
  return Prisma.sql`
    SELECT t."address" FROM (SELECT "address", max("periodStart") AS "periodStart" FROM page GROUP BY "address") AS t
    WHERE EXISTS (
      SELECT FROM "Subscription" s
      WHERE s."environment" = ${environment}::"Environment" AND s."address" = t."address"
        AND s."chainCreatedAt" <= t."periodStart" OFFSET 0)`;
}
