import type { Address } from '@solana/kit';
import type { AppContext } from '../../src/app.ts';
import {
  type AccountKind,
  AccountLayoutError,
  accountKind,
  decodeAuthority,
  decodePlan,
  decodeSubscription,
} from '../../src/chain/accounts/accounts.ts';
import { observePlan } from '../../src/domain/catalog/plan/observe-plan.ts';
import { observeSubscription } from '../../src/domain/checkout/completion/observe-subscriptions.ts';
import type { ChainAccount, Environment } from '../../src/generated/prisma/client.ts';
import { isOlder, type SeenAccount } from '../order/seen-account.ts';
import { applyAuthority } from './apply-authority.ts';

type OurKind = Exclude<AccountKind, 'authority'>;

/**
 * Applies the observed state of one account. A repeated or older state changes nothing: the mirror
 * row stores its slot, and a closed account remains as a tombstone with its slot. Must not run
 * concurrently for one address.
 *
 * Anyone may use the program, so only our own accounts are stored: plans in our table (drafts too,
 * because they may be published later) and subscriptions to them. An authority is applied but not
 * stored. Other accounts are ignored after a few index lookups.
 *
 * The mirror is written first, because use cases read it. If the process crashes before a use case
 * runs, the state is seen and applied again.
 *
 * @throws AccountLayoutError if one of our accounts has an unknown layout
 */
export async function applyAccount(
  ctx: AppContext,
  environment: Environment,
  seen: SeenAccount,
): Promise<void> {
  const { address, data, slot } = seen;
  if (data && accountKind(data) === 'authority') {
    return applyAuthority(ctx, environment, seen, decodeAuthority(data));
  }
  const key = { environment_address: { environment, address } };
  const mirrored = await ctx.db.chainAccount.findUnique({ where: key });
  if (mirrored && isOlder(seen, mirrored)) return;
  const kind = await kindIfOurs(ctx, environment, seen, mirrored);
  if (kind === 'plan') {
    const account = data && decodePlan(data);
    if (await mirror(ctx, environment, seen)) await observePlan(ctx, environment, address, account);
  } else if (kind === 'subscription') {
    const account = data && decodeSubscription(data);
    if (await mirror(ctx, environment, seen)) {
      await observeSubscription(ctx, environment, address, account, slot);
    }
  }
}

/** The kind of the account if it is ours; otherwise undefined. */
async function kindIfOurs(
  ctx: AppContext,
  environment: Environment,
  { address, data }: SeenAccount,
  mirrored: Pick<ChainAccount, 'data'> | null,
): Promise<OurKind | undefined> {
  const kind = data ? accountKind(data) : null;
  if (data && kind === 'plan') return (await isOurPlan(ctx, environment, address)) ? kind : undefined;
  if (data && kind === 'subscription') {
    return (await isOurPlan(ctx, environment, decodeSubscription(data).plan)) ? kind : undefined;
  }
  // A closed account or an unknown layout: the kind is known from the mirror or the database.
  const before = await knownKind(ctx, environment, address, mirrored);
  if (before && data) {
    throw new AccountLayoutError(
      `The account is no longer a ${before}: it has ${data.length} bytes, and the first is ${data[0]}`,
    );
  }
  return before;
}

async function knownKind(
  ctx: AppContext,
  environment: Environment,
  address: Address,
  mirrored: Pick<ChainAccount, 'data'> | null,
): Promise<OurKind | undefined> {
  const kind = mirrored && accountKind(mirrored.data);
  if (kind === 'plan' || kind === 'subscription') return kind;
  if (await isOurPlan(ctx, environment, address)) return 'plan';
  const subscription = await ctx.db.subscription.findFirst({
    where: { environment, address },
    select: { id: true },
  });
  return subscription ? 'subscription' : undefined;
}

async function isOurPlan({ db }: AppContext, environment: Environment, address: Address): Promise<boolean> {
  const plan = await db.plan.findUnique({
    where: { environment_address: { environment, address } },
    select: { id: true },
  });
  return plan !== null;
}

/** Writes the mirror's row of an account; false if the row has a newer state. */
async function mirror(
  { db }: AppContext,
  environment: Environment,
  { address, data, slot, writeVersion }: SeenAccount,
): Promise<boolean> {
  // A tombstone keeps the last data, which shows the kind of the account. The statement compares
  // the states again, because a replaced leader may still write an older one.
  const written = await db.$executeRaw`
    INSERT INTO "ChainAccount" ("environment", "address", "data", "closed", "slot", "writeVersion")
    VALUES (${environment}::"Environment", ${address}, ${Buffer.from(data ?? [])}, ${data === null}, ${slot}, ${writeVersion})
    ON CONFLICT ("environment", "address") DO UPDATE SET
      "data" = CASE WHEN EXCLUDED."closed" THEN "ChainAccount"."data" ELSE EXCLUDED."data" END,
      "closed" = EXCLUDED."closed", "slot" = EXCLUDED."slot", "writeVersion" = EXCLUDED."writeVersion"
    WHERE ("ChainAccount"."slot", "ChainAccount"."writeVersion") <= (EXCLUDED."slot", EXCLUDED."writeVersion")`;
  return written > 0;
}
