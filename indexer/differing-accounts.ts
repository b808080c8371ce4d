import type { Address } from '@solana/kit';
import type { AppContext } from '../src/app.ts';
import { subscriptionFacts } from '../src/chain/account-facts.ts';
import { accountKind } from '../src/chain/accounts.ts';
import type { ChainAccount } from '../src/chain/read-accounts.ts';
import { asRows } from '../src/db-rows.ts';
import { isAsKnown } from '../src/domain/subscription/is-as-known.ts';
import { COLLECTING } from '../src/domain/subscription/status.ts';
import type { Environment } from '../src/generated/prisma/client.ts';
import { livesAt } from './apply-subscriptions.ts';

const ACCOUNTS_A_QUERY = 1_000;
const ADDRESSES_A_PAGE = 5_000;

export interface Compared {
  /** Ours, and not mirrored as they are, or perhaps not told to the use cases. */
  readonly differing: ChainAccount[];
  /** All of ours. */
  readonly ours: ChainAccount[];
}

/**
 * Compares accounts as they were at `slot` with what is mirrored. What was mirrored since then is newer, and is left
 * alone; what was mirrored after `position` may have been in hand when a process died, and differs to be safe. So does
 * what is collected from here and cancelled there.
 */
export async function compareAccounts(
  ctx: Pick<AppContext, 'db'>,
  environment: Environment,
  accounts: readonly ChainAccount[],
  { slot, position }: { readonly slot: bigint; readonly position: bigint | undefined },
): Promise<Compared> {
  const compared: Compared = { differing: [], ours: [] };
  const candidates = accounts.filter(({ data }) => accountKind(data) !== 'authority');
  for (let start = 0; start < candidates.length; start += ACCOUNTS_A_QUERY) {
    const some = candidates.slice(start, start + ACCOUNTS_A_QUERY);
    const differs = await differsFromMirror(ctx, environment, some, { slot, position });
    const ours = some.filter(({ address }) => differs.has(address));
    const unheard = await collectedThoughCancelled(ctx, environment, ours);
    compared.ours.push(...ours);
    compared.differing.push(
      ...ours.filter(({ address }) => differs.get(address) === true || unheard.has(address)),
    );
  }
  return compared;
}

/** By address, whether it differs; nothing of what is not ours: neither a plan of ours, nor to one, nor known as one. */
async function differsFromMirror(
  { db }: Pick<AppContext, 'db'>,
  environment: Environment,
  accounts: readonly ChainAccount[],
  { slot, position }: { readonly slot: bigint; readonly position: bigint | undefined },
): Promise<Map<string, boolean>> {
  const rows = accounts.map(({ address, data }) => ({
    address,
    plan: accountKind(data) === 'subscription' ? subscriptionFacts(data).plan : address,
    data: Buffer.from(data).toString('base64'),
  }));
  const found = await db.$queryRaw<{ address: string; differs: boolean }[]>`
    SELECT r."address", coalesce(
      a."slot" <= ${slot} AND (a."closed" OR a."data" <> decode(r."data", 'base64') OR a."slot" > ${position ?? -1n}),
      true) AS "differs"
    FROM jsonb_to_recordset(${asRows(rows)}::jsonb) AS r("address" text, "plan" text, "data" text)
      JOIN "Plan" p ON p."environment" = ${environment}::"Environment" AND p."address" = r."plan"
      LEFT JOIN "ChainAccount" a
        ON a."environment" = ${environment}::"Environment" AND a."address" = r."address"`;
  const differs = new Map(found.map((row) => [row.address, row.differs]));
  // What cannot be read names no plan: where a subscription of ours was, it is looked at, and set aside.
  const unreadable = accounts.filter(({ data }) => accountKind(data) === null);
  const known = await db.subscription.findMany({
    where: { environment, address: { in: unreadable.map(({ address }) => address) } },
    select: { address: true },
  });
  for (const { address } of known) differs.set(address, true);
  return differs;
}

async function collectedThoughCancelled(
  { db }: Pick<AppContext, 'db'>,
  environment: Environment,
  ours: readonly ChainAccount[],
): Promise<Set<string>> {
  const subscriptions = ours.filter(({ data }) => accountKind(data) === 'subscription');
  const lives = await livesAt(
    db,
    environment,
    subscriptions.map(({ address }) => address),
  );
  const unheard = subscriptions.filter(({ address, data }) => {
    const known = lives.get(address) ?? [];
    return (
      known.some(({ status }) => COLLECTING.includes(status)) && !isAsKnown(known, subscriptionFacts(data))
    );
  });
  return new Set(unheard.map(({ address }) => address));
}

/** What should be there as of `slot`, a page at a time: open in the mirror, or collected from. */
export async function* expectedAddresses(
  { db }: Pick<AppContext, 'db'>,
  environment: Environment,
  slot: bigint,
): AsyncGenerator<Address[]> {
  for (let after = ''; ; ) {
    const page = await db.$queryRaw<{ address: Address }[]>`
      SELECT "address" FROM (
        (SELECT "address" FROM "ChainAccount"
          WHERE "environment" = ${environment}::"Environment" AND NOT "closed" AND "slot" <= ${slot}
            AND "address" > ${after}
          ORDER BY "address" LIMIT ${ADDRESSES_A_PAGE})
        UNION
        (SELECT s."address" FROM "Subscription" s
          WHERE s."environment" = ${environment}::"Environment" AND s."status"::text = ANY(${[...COLLECTING]})
            AND s."closedAt" IS NULL AND s."address" > ${after} AND NOT EXISTS (
              SELECT 1 FROM "ChainAccount" a
              WHERE a."environment" = s."environment" AND a."address" = s."address" AND a."slot" > ${slot})
          ORDER BY s."address" LIMIT ${ADDRESSES_A_PAGE})
      ) AS expected ORDER BY "address" LIMIT ${ADDRESSES_A_PAGE}`;
    yield page.map(({ address }) => address);
    const last = page.at(-1);
    if (!last || page.length < ADDRESSES_A_PAGE) return;
    after = last.address;
  }
}
