import { address } from '@solana/kit';
import type { AppContext } from '../../app.ts';
import { decodeSubscription, type SubscriptionAccount } from '../../chain/accounts.ts';
import { PROGRAM, subscriptionAddress } from '../../chain/addresses.ts';
import { readAccounts } from '../../chain/read-accounts.ts';
import type { Environment, Plan } from '../../generated/prisma/client.ts';
import { chainOf } from '../merchant/chain-of.ts';
import { unixSeconds } from '../payment/billable.ts';
import { currentLife } from '../subscription/current-life.ts';
import { lastChanges } from '../subscription/last-reason.ts';
import { COLLECTING } from '../subscription/status.ts';

/** How a wallet stands to a plan before it subscribes. */
export type Standing =
  /** Its address is free. */
  | { readonly kind: 'free' }
  /** Its subscription is cancelled and its time over: to be closed, and made anew. */
  | { readonly kind: 'over'; readonly account: SubscriptionAccount }
  /**
   * Its subscription is there, and nobody collects from it (any more): it is taken up again. `after` is the id of its
   * newest change, where we have it.
   */
  | { readonly kind: 'idle'; readonly account: SubscriptionAccount; readonly after: string | undefined }
  | { readonly kind: 'subscribed' };

export async function standingOf(
  ctx: AppContext,
  environment: Environment,
  plan: Plan,
  wallet: SubscriptionAccount['subscriber'],
): Promise<Standing> {
  const pda = await subscriptionAddress(address(plan.address), wallet);
  const [found] = await readAccounts(chainOf(ctx, environment), [pda]);
  if (found?.owner !== PROGRAM) return { kind: 'free' };
  const account = decodeSubscription(found.data);
  if (account.expiresAt !== 0n && account.expiresAt <= unixSeconds(ctx.clock.now())) {
    return { kind: 'over', account };
  }
  const { current, isNew } = await currentLife(ctx.db, environment, pda, account, plan);
  const isIdle = current ? !COLLECTING.includes(current.status) : isNew;
  if (!isIdle) return { kind: 'subscribed' };
  const [last] = current ? await lastChanges(ctx.db, current.id, 1) : [];
  return { kind: 'idle', account, after: last?.id };
}
