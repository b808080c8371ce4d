import { address } from '@solana/kit';
import type { AppContext } from '../../../app.ts';
import { decodeSubscription, type SubscriptionAccount } from '../../../chain/accounts/accounts.ts';
import { PROGRAM, subscriptionAddress } from '../../../chain/accounts/addresses.ts';
import { readAccounts } from '../../../chain/accounts/read-accounts.ts';
import { unixSeconds } from '../../../chain/chain-time.ts';
import { FEW_ATTEMPTS } from '../../../chain/rpc/as-of.ts';
import type { Environment, Plan } from '../../../generated/prisma/client.ts';
import { COLLECTING } from '../../billing/book/status.ts';
import { currentSubscription } from '../../billing/lifecycle/current-subscription.ts';
import { lastChanges } from '../../billing/read/last-reason.ts';
import { upToDate } from '../../chain-state/mirror/known-slot.ts';
import { chainOf } from '../../kernel/access/chain-of.ts';

/** The options that a wallet has with a plan. */
export type WalletEligibility =
  /** No subscription account exists: it can subscribe. */
  | { readonly kind: 'free' }
  /** The cancellation has taken effect: the account is closed and created again. */
  | { readonly kind: 'over'; readonly account: SubscriptionAccount }
  /**
   * The account exists and is not collected: it is reactivated. `subscriptionId` and `after`, the id
   * of its latest change, are undefined if dues does not know the subscription.
   */
  | {
      readonly kind: 'idle';
      readonly account: SubscriptionAccount;
      readonly subscriptionId: string | undefined;
      readonly after: string | undefined;
    }
  | { readonly kind: 'subscribed' };

/** @throws NodeBehind */
export async function readWalletEligibility(
  ctx: AppContext,
  environment: Environment,
  plan: Plan,
  wallet: SubscriptionAccount['subscriber'],
): Promise<WalletEligibility> {
  const pda = await subscriptionAddress(address(plan.address), wallet);
  // Read at the known slot: with a node that is behind, the wallet could subscribe twice, or
  // reactivate a subscription that has ended on chain.
  const chain = await upToDate(ctx, chainOf(ctx, environment), FEW_ATTEMPTS);
  const [found] = await readAccounts(chain, [pda], 'program');
  if (found?.owner !== PROGRAM) return { kind: 'free' };
  const account = decodeSubscription(found.data);
  if (account.expiresAt !== 0n && account.expiresAt <= unixSeconds(ctx.clock.now())) {
    return { kind: 'over', account };
  }
  const { current, isNew } = await currentSubscription(ctx.db, environment, pda, account, plan);
  const isIdle = current ? !COLLECTING.includes(current.status) : isNew;
  if (!isIdle) return { kind: 'subscribed' };
  const [last] = current ? await lastChanges(ctx.db, current.id, 1) : [];
  return { kind: 'idle', account, subscriptionId: current?.id, after: last?.id };
}
