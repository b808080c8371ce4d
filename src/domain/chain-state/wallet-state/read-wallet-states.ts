import { type Address, address } from '@solana/kit';
import type { AppContext } from '../../../app.ts';
import { inChunks } from '../../../async/in-chunks.ts';
import { authorityAddress } from '../../../chain/accounts/addresses.ts';
import { type Payer, readPayersApart } from '../../../chain/accounts/payers.ts';
import { type Chain, publicChain } from '../../../chain/chain.ts';
import { dateOf } from '../../../chain/chain-time.ts';
import type { ClusterConfig } from '../../../config/cluster-config.ts';
import type { Environment, Plan, Subscription } from '../../../generated/prisma/client.ts';
import { chainOf } from '../../kernel/access/chain-of.ts';
import { type ApprovalState, approvalState } from './approval-state.ts';

/** The balance and the approval of the wallet behind a subscription. */
export interface WalletState {
  /** Base units of the plan's token; null if the token account is closed. */
  readonly balance: bigint | null;
  readonly approval: ApprovalState;
  /** Whether the token account is frozen. */
  readonly frozen: boolean;
  /** Number of payments that the balance covers. */
  readonly runwayPeriods: number;
  /** The subscription's account; null if it is closed. */
  readonly account: {
    /** When its cancellation on chain takes effect; null if it is not cancelled there. */
    readonly endsAt: Date | null;
    /** Whether the wallet paid the rent of the account, and gets it back. */
    readonly isOwnRent: boolean;
  } | null;
  readonly checkedAt: Date;
}

export type PaidSubscription = Pick<
  Subscription,
  'id' | 'address' | 'walletAddress' | 'tokenAccount' | 'authority' | 'nextAmount'
> & { readonly plan: Pick<Plan, 'mint' | 'tokenProgram'> };

export interface ReadOptions {
  /** Maximum age of a state that is used without reading it again. */
  readonly maxAgeMs: number;
  /**
   * Called with the number of subscriptions before their accounts are read. It may throw to refuse.
   */
  readonly beforeRead?: (count: number) => Promise<void>;
}

/** Subscriptions that are read together: two accounts each, 100 accounts per call. */
const BATCH_SIZE = 50;
/** Maximum cached states per cluster; the oldest are dropped first. */
const MAX_CACHED = 20_000;
/** Limits `runwayPeriods`: no page shows more. */
const MAX_RUNWAY = 1_000_000n;

const cachedStates = new WeakMap<ClusterConfig, Map<string, WalletState>>();

/**
 * Reads the wallets of subscriptions from the chain, in their order; null where an account cannot
 * be read. The state may be some slots old, so it must only be shown and decide nothing. The calls
 * use the budget of callers without a key, never that of collection.
 *
 * @throws BillingError rate_limit_exceeded if callers without a key send too many requests
 */
export async function readWalletStates(
  ctx: Pick<AppContext, 'chain' | 'away' | 'clock'>,
  environment: Environment,
  subscriptions: readonly PaidSubscription[],
  { maxAgeMs, beforeRead }: ReadOptions,
): Promise<(WalletState | null)[]> {
  const chain = publicChain(chainOf(ctx, environment));
  const states = cachedStates.get(chain.config) ?? new Map<string, WalletState>();
  cachedStates.set(chain.config, states);
  const now = ctx.clock.now();
  const found = new Map<string, WalletState | null>();
  const missing = new Map<string, PaidSubscription>();
  for (const subscription of subscriptions) {
    const state = states.get(subscription.id);
    const age = state ? now.getTime() - state.checkedAt.getTime() : Number.POSITIVE_INFINITY;
    // A negative age means that the clock was set back.
    if (state && age >= 0 && age < maxAgeMs) found.set(subscription.id, state);
    else missing.set(subscription.id, subscription);
  }
  if (missing.size > 0) await beforeRead?.(missing.size);
  for (const batch of inChunks([...missing.values()], BATCH_SIZE)) {
    const read = await readBatch(chain, batch, now);
    for (const [index, { id }] of batch.entries()) {
      const state = read[index] ?? null;
      found.set(id, state);
      if (state) cacheState(states, id, state);
    }
  }
  return subscriptions.map(({ id }) => found.get(id) ?? null);
}

async function readBatch(
  chain: Chain,
  subscriptions: readonly PaidSubscription[],
  checkedAt: Date,
): Promise<(WalletState | null)[]> {
  const payers = await readPayersApart(
    chain,
    subscriptions.map(({ address: subscription, walletAddress, tokenAccount, plan }) => ({
      subscription: subscription as Address,
      payer: walletAddress as Address,
      payerTokenAccount: tokenAccount as Address,
      mint: plan.mint as Address,
      tokenProgram: plan.tokenProgram as Address,
    })),
  );
  return Promise.all(
    subscriptions.map(async (subscription, index) => {
      const payer = payers[index];
      return payer && !payer.unreadable ? stateOf(subscription, payer, checkedAt) : null;
    }),
  );
}

async function stateOf(
  { walletAddress, authority, nextAmount, plan: { mint } }: PaidSubscription,
  payer: Payer,
  checkedAt: Date,
): Promise<WalletState> {
  const { tokenAccount, subscription } = payer;
  const authorityOfWallet = authority ?? (await authorityAddress(address(walletAddress), address(mint)));
  const periods = nextAmount > 0n ? (tokenAccount?.amount ?? 0n) / nextAmount : MAX_RUNWAY;
  return {
    balance: tokenAccount?.amount ?? null,
    approval: approvalState(payer, nextAmount, address(authorityOfWallet)),
    frozen: tokenAccount?.frozen ?? false,
    runwayPeriods: Number(periods < MAX_RUNWAY ? periods : MAX_RUNWAY),
    account: subscription && {
      endsAt: subscription.expiresAt === 0n ? null : dateOf(subscription.expiresAt),
      isOwnRent: subscription.payer === walletAddress,
    },
    checkedAt,
  };
}

function cacheState(states: Map<string, WalletState>, id: string, state: WalletState): void {
  // Inserts the state as the last one, so that the first one is the oldest.
  states.delete(id);
  states.set(id, state);
  const [oldest] = states.keys();
  if (states.size > MAX_CACHED && oldest !== undefined) states.delete(oldest);
}
