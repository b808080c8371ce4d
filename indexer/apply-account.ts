import type { Address } from '@solana/kit';
import type { AppContext } from '../src/app.ts';
import {
  type AccountKind,
  AccountLayoutError,
  accountKind,
  decodeAuthority,
  decodePlan,
  decodeSubscription,
} from '../src/chain/accounts.ts';
import { observePlan } from '../src/domain/plan/observe-plan.ts';
import { observeSubscription } from '../src/domain/subscription/observe-subscriptions.ts';
import type { ChainAccount, Environment } from '../src/generated/prisma/client.ts';
import { applyAuthority } from './apply-authority.ts';
import { isOlder, type SeenAccount } from './seen-account.ts';

type OurKind = Exclude<AccountKind, 'authority'>;

/**
 * Takes over what was seen of one account. Seeing it again, or something older, changes nothing: what is mirrored says
 * up to where, and a closed account stays as a tombstone that says it too. Not for one address twice at a time.
 *
 * Anyone may use the program, so only what has to do with our plans is taken: the plans that stand in our table (a
 * draft does, before its transaction can be signed) and the subscriptions to them. The rest costs one look at an index
 * and leaves nothing behind.
 *
 * The mirror comes first, because use cases go by it, and what is seen again is told to them again: a process that died
 * between the two sees it again.
 *
 * @throws AccountLayoutError where an account of ours cannot be read
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
    await mirror(ctx, environment, seen);
    await observePlan(ctx, environment, address, account);
  } else if (kind === 'subscription') {
    const account = data && decodeSubscription(data);
    await mirror(ctx, environment, seen);
    await observeSubscription(ctx, environment, address, account, slot);
  }
}

/** What the account is to us; undefined where it is nothing. */
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
  // Closed, or of a layout that is not known: what it was says what it is.
  const before = await knownKind(ctx, environment, address, mirrored);
  if (before && data) {
    throw new AccountLayoutError(`Not a ${before} any more: ${data.length} bytes, the first one ${data[0]}`);
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

async function mirror(
  { db }: AppContext,
  environment: Environment,
  { address, data, slot, writeVersion }: SeenAccount,
): Promise<void> {
  // A tombstone keeps the last that was seen: it says what the account was. A leader that has just been followed by
  // another may still be here with something older, so the row is asked again.
  await db.$executeRaw`
    INSERT INTO "ChainAccount" ("environment", "address", "data", "closed", "slot", "writeVersion")
    VALUES (${environment}::"Environment", ${address}, ${Buffer.from(data ?? [])}, ${data === null}, ${slot}, ${writeVersion})
    ON CONFLICT ("environment", "address") DO UPDATE SET
      "data" = CASE WHEN EXCLUDED."closed" THEN "ChainAccount"."data" ELSE EXCLUDED."data" END,
      "closed" = EXCLUDED."closed", "slot" = EXCLUDED."slot", "writeVersion" = EXCLUDED."writeVersion"
    WHERE ("ChainAccount"."slot", "ChainAccount"."writeVersion") < (EXCLUDED."slot", EXCLUDED."writeVersion")`;
}
