import type { AppContext } from '../../../app.ts';
import {
  AccountLayoutError,
  accountKind,
  bytesOf,
  decodeSubscription,
} from '../../../chain/accounts/accounts.ts';
import { unixSeconds } from '../../../chain/chain-time.ts';
import type { Environment } from '../../../generated/prisma/client.ts';

/** Accounts that are read at once. */
const PAGE = 1_000;

/** A subscription on chain to a plan of dues that has no row, so nothing is collected from it. */
export interface UnknownSubscription {
  readonly environment: Environment;
  readonly merchantId: string;
  readonly planId: string;
  readonly address: string;
  readonly walletAddress: string;
}

interface UnknownScope {
  readonly environment?: Environment | undefined;
  readonly merchantId?: string | undefined;
}

/**
 * Finds the subscriptions whose checkout the database may have lost: they are in the mirror, have no
 * row, and may have begun in a lost time. A wallet that subscribed without dues looks the same. Reads
 * the mirror in pages; refresh it before.
 */
export async function* unknownSubscriptions(
  { db, chain }: Pick<AppContext, 'db' | 'chain'>,
  { environment: only, merchantId }: UnknownScope,
): AsyncGenerator<UnknownSubscription> {
  for (const environment of Object.keys(chain) as Environment[]) {
    if (only && environment !== only) continue;
    const restores = await db.databaseTimeline.findMany({ where: { environment, number: { gt: 1 } } });
    if (restores.length === 0) continue;
    const lostFrom = Math.min(...restores.map((restore) => restore.lostFrom?.getTime() ?? 0));
    for (let after = ''; ; ) {
      const page = await db.$queryRaw<{ address: string; data: Uint8Array }[]>`
        SELECT a."address", a."data" FROM "ChainAccount" a
        WHERE a."environment" = ${environment}::"Environment" AND a."address" > ${after} AND NOT a."closed"
          AND octet_length(a."data") >= ${bytesOf('subscription')}
          AND NOT EXISTS (SELECT FROM "Subscription" s
            WHERE s."environment" = a."environment" AND s."address" = a."address")
          AND NOT EXISTS (SELECT FROM "DuplicateSubscription" d
            WHERE d."environment" = a."environment" AND d."address" = a."address")
        ORDER BY a."address" LIMIT ${PAGE}`;
      const found = page.flatMap(({ address, data }) => {
        const account = readSubscription(data);
        // The start of its last period with a pull, which is not before its beginning.
        const isNew = account !== undefined && account.periodStart >= unixSeconds(new Date(lostFrom));
        return isNew ? [{ address, account }] : [];
      });
      const plans = await db.plan.findMany({
        where: {
          environment,
          address: { in: found.map(({ account }) => account.plan) },
          ...(merchantId && { merchantId }),
        },
      });
      const byAddress = new Map(plans.map((plan) => [plan.address, plan]));
      for (const { address, account } of found) {
        const plan = byAddress.get(account.plan);
        if (!plan) continue;
        const { merchantId: owner, planId } = plan;
        yield { environment, merchantId: owner, planId, address, walletAddress: account.subscriber };
      }
      if (page.length < PAGE) break;
      after = page.at(-1)?.address ?? '';
    }
  }
}

function readSubscription(data: Uint8Array) {
  if (accountKind(data) !== 'subscription') return undefined;
  try {
    return decodeSubscription(data);
  } catch (error) {
    if (error instanceof AccountLayoutError) return undefined;
    throw error;
  }
}
