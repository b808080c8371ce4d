import type { Address } from '@solana/kit';
import type { AppContext } from '../../../app.ts';
import type { SubscriptionAccount } from '../../../chain/accounts/accounts.ts';
import type { Chain } from '../../../chain/chain.ts';
import { asOf } from '../../../chain/rpc/as-of.ts';
import {
  type ChainTransaction,
  readTransaction,
  type SignatureInfo,
  signaturesFor,
} from '../../../chain/rpc/chain-transaction.ts';
import { decodeEvents } from '../../../chain/transactions/program-events.ts';
import type { Environment, Plan } from '../../../generated/prisma/client.ts';
import { currentSubscription } from '../../billing/lifecycle/current-subscription.ts';
import { hasPeriod, isOfSubscription } from '../../billing/lifecycle/match-subscriptions.ts';
import { chainOf } from '../../kernel/access/chain-of.ts';

/** A subscription account as seen on chain. */
export interface SeenOnChain {
  readonly address: Address;
  readonly account: SubscriptionAccount;
  readonly slot: bigint;
}

export interface Creation {
  /** Creation time on chain. */
  readonly createdAt: bigint;
  readonly signature: string;
  readonly transaction: ChainTransaction;
}

/**
 * Creation time of the current subscription account, from the database or from its transaction;
 * undefined if that is not found.
 *
 * @throws CreationHidden, NodeBehind
 */
export async function creationTimeOf(
  ctx: AppContext,
  environment: Environment,
  plan: Plan,
  seen: SeenOnChain,
): Promise<bigint | undefined> {
  const { current } = await currentSubscription(ctx.db, environment, seen.address, seen.account, plan);
  if (current) return current.chainCreatedAt;
  return (await findCreation(chainOf(ctx, environment), plan, seen))?.createdAt;
}

/**
 * Maximum transactions of an address that are listed, and that are read. They are bounded because
 * anyone may send any number of transactions that name the address.
 */
const MAX_SIGNATURES = 10_000;
const MAX_TRANSACTIONS = 100;
/**
 * Maximum difference between the time of a block, as nodes report it, and the creation time that
 * the program records.
 */
const MAX_TIME_DIFFERENCE_SECONDS = 5n;

/**
 * The search does not reach the transaction that created the account, because too many others name
 * its address. A later search would not find it either.
 */
export class CreationHidden extends Error {
  override name = 'CreationHidden';
}

/**
 * The transaction that created the current subscription account, found among the newest ones that
 * name its address; undefined if the node does not have it yet.
 *
 * Transactions that landed when the account may have been created are read first. The newest second
 * comes first, because earlier subscriptions at the address may have begun whole intervals before.
 * Within a second the oldest comes first, because later ones may have been sent to hide the
 * creation. The list is read at the slot of the account, so that a node that is behind omits none.
 *
 * @throws CreationHidden, NodeBehind
 */
export async function findCreation(
  chain: Chain,
  { periodSeconds }: Plan,
  { address, account, slot }: SeenOnChain,
): Promise<Creation | undefined> {
  const interval = BigInt(periodSeconds);
  const { plan, subscriber, periodStart } = account;
  const listed = await signaturesFor(asOf(chain, slot), address, { limit: MAX_SIGNATURES });
  const succeeded = listed.filter(({ failed }) => !failed).toReversed();
  const rankOf = (info: SignatureInfo) => creationRank(info, periodStart, interval);
  const candidates = succeeded.toSorted(
    (a, b) => rankOf(a) - rankOf(b) || Number((b.at ?? 0n) - (a.at ?? 0n)),
  );
  let isMissing = false;
  for (const { signature } of candidates.slice(0, MAX_TRANSACTIONS)) {
    const transaction = await readTransaction(chain, signature);
    isMissing ||= !transaction;
    if (!transaction) continue;
    const created = decodeEvents(transaction).find(
      (event) => event.type === 'created' && event.plan === plan && event.subscriber === subscriber,
    );
    if (created?.type !== 'created') continue;
    if (isOfSubscription(created.createdAt, account, interval))
      return { createdAt: created.createdAt, signature, transaction };
  }
  const isComplete = listed.length < MAX_SIGNATURES && candidates.length <= MAX_TRANSACTIONS;
  if (isMissing || isComplete) return undefined;
  throw new CreationHidden(`Too many transactions name the subscription ${address}`);
}

/**
 * 0 if the block has the exact time of a creation, because periods start whole intervals after it;
 * 1 if it is within the tolerance or has no time; 2 otherwise.
 */
function creationRank({ at }: SignatureInfo, periodStart: bigint, interval: bigint): 0 | 1 | 2 {
  if (at === null) return 1;
  if (hasPeriod(at, periodStart, interval)) return 0;
  const remainder = (periodStart - at + MAX_TIME_DIFFERENCE_SECONDS) % interval;
  return remainder >= 0n && remainder <= 2n * MAX_TIME_DIFFERENCE_SECONDS ? 1 : 2;
}
