import type { AppContext } from '../../../app.ts';
import type { Purse } from '../../../chain/accounts/can-pay.ts';
import { collectorAddresses, groupByCollector } from '../../../chain/accounts/collectors.ts';
import type { Receiver } from '../../../chain/accounts/pulls.ts';
import { readChainTime } from '../../../chain/accounts/read-accounts.ts';
import type { Chain } from '../../../chain/chain.ts';
import { asOf, asOfAny, FEW_ATTEMPTS, NodeBehind } from '../../../chain/rpc/as-of.ts';
import type { PlanProblem } from '../../../generated/prisma/client.ts';
import { countNodeBehind } from '../../../observability/metrics/counters.ts';
import { isFarFrom } from '../../chain-state/clock/clock-agrees.ts';
import { type CollectionGate, readCollectionGate } from '../../chain-state/mirror/collection-gate.ts';
import { type PlanWithFee, writeFeeMails } from '../../messages/mail/write-problem-mails.ts';
import { type Claim, partOf, release, renewClaim } from './claim-due.ts';
import {
  BLOCKED_DELAY_MS,
  CLUSTER_ERROR_DELAY_MS,
  type CollectDecision,
  spreadDelays,
  UNREAD_DELAY_MS,
  waitIfInDoubt,
} from './collect-decision.ts';
import { type Circumstances, judgePayer } from './judge-payer.ts';
import { judgePlan, type PlanTrouble } from './judge-plan.ts';
import { type DuePayment, type PayablePayment, preparePayments } from './prepare-payments.ts';
import {
  type PaymentAccounts,
  type ReadPayments,
  readPaymentAccounts,
  type UnreadPayment,
} from './read-payment-accounts.ts';
import { type FoundProblem, recordProblems } from './record-plan-problems.ts';
import { releaseUncollected, type UncollectedPayment } from './release-uncollected.ts';
import { submitPulls } from './submit-pulls.ts';

/**
 * Collects from claimed subscriptions: steps 3 to 6 of docs/architecture.md, "Collect". Never
 * rejects.
 */
export async function collectClaimed(ctx: AppContext, chain: Chain, claim: Claim): Promise<void> {
  try {
    const due = await preparePayments(ctx, claim);
    if (due.length === 0) return;
    const gate = await readCollectionGate(ctx, chain.environment);
    // A node behind the known slot may not show a top-up, an approval or the subscription yet. No
    // failure is recorded from its answers.
    const read = await readDue(ctx, asOf(chain, gate.knownSlot, FEW_ATTEMPTS), claim, due);
    await renewClaim(ctx, claim);
    const payable = await releaseUncollectable(ctx, claim, read, gate);
    const shares = await groupByCollector(asOfAny(read.chain), payable);
    await Promise.all(
      shares.map(async ({ chain: shareChain, items }) => {
        const share = partOf(
          claim,
          items.map(({ subscription }) => subscription.id),
        );
        // An error of one collector must not stop the others.
        await submitPulls(ctx, asOf(shareChain, read.chain.minSlot), share, items).catch((err: unknown) =>
          releaseFailed(ctx, share, err),
        );
      }),
    );
  } catch (err) {
    await releaseFailed(ctx, claim, err);
  }
}

/** Makes the payments due again: an error of RPC or database says nothing about any payer. */
async function releaseFailed(ctx: AppContext, claim: Claim, err: unknown): Promise<void> {
  const { environment } = claim;
  const subscriptions = claim.subscriptionIds.length;
  if (err instanceof NodeBehind) {
    ctx.log.warn({ err, environment, subscriptions }, 'RPC node behind: collection will be retried');
  } else {
    ctx.log.error({ err, environment, subscriptions }, 'collection failed: will be retried');
  }
  const now = ctx.clock.now().getTime();
  const delays = spreadDelays(CLUSTER_ERROR_DELAY_MS, subscriptions);
  const releases = claim.subscriptionIds.map((subscriptionId, index) => ({
    subscriptionId,
    nextAttemptAt: new Date(now + (delays[index] ?? CLUSTER_ERROR_DELAY_MS)),
  }));
  // If the release fails too, the claim expires.
  await release(ctx, claim, releases).catch((error: unknown) => {
    ctx.log.error({ err: error, environment, subscriptions }, 'claim not released: it will expire');
  });
}

/** The accounts of the due payments, and the slot as of which they were read. */
interface ReadDue extends ReadPayments {
  readonly chainTime: bigint;
  /** The chain, as of that slot, for the next steps. */
  readonly chain: Chain;
  /**
   * Whether the node is behind: it has not reached the known slot, or it shows a time far from
   * ours. Payments whose payer can pay are sent; all others wait.
   */
  readonly isOld: boolean;
}

async function readDue(
  ctx: AppContext,
  newestChain: Chain,
  claim: Claim,
  due: readonly DuePayment[],
): Promise<ReadDue> {
  const read = async (chain: Chain, isOld: boolean): Promise<ReadDue> => {
    const payments = await readPaymentAccounts(ctx, chain, due);
    const chainTime = await readChainTime(chain);
    // The clocks were compared before, perhaps with another node. One that stopped long ago would
    // postpone the payments by all that time.
    if (!isOld && isFarFrom(ctx.clock.now(), chainTime)) {
      throw new NodeBehind(`The RPC node shows the time ${chainTime}, which is far from ours`);
    }
    return { ...payments, chainTime, chain, isOld };
  };
  try {
    return await read(newestChain, false);
  } catch (err) {
    if (!(err instanceof NodeBehind)) throw err;
    const { environment } = newestChain;
    countNodeBehind(environment);
    ctx.log.warn({ err, environment, payments: due.length }, 'RPC node behind: no failures are counted');
    await renewClaim(ctx, claim);
    return read(asOfAny(newestChain), true);
  }
}

/**
 * Releases the payments that cannot be collected, before any fee is spent on them: they fail or
 * wait, and if the node was behind, none fails. Returns the others with their pulls.
 */
async function releaseUncollectable(
  ctx: AppContext,
  claim: Claim,
  { accounts, unread, chainTime, chain, isOld }: ReadDue,
  gate: CollectionGate,
): Promise<PayablePayment[]> {
  const judged = judgeAll(accounts, {
    now: ctx.clock.now(),
    chainTime,
    // Without a known slot, any state may be old.
    isOld: isOld || gate.knownSlot === 0n,
    gate,
    chain,
  });
  const decisions = isOld
    ? judged.map((judgement, index) => withoutFailures(judgement, accounts[index]?.receiver))
    : judged;
  if (!isOld) {
    logTrouble(ctx, accounts, decisions, gate);
    await recordProblems(ctx, chain.environment, problemsIn(accounts, decisions));
    await writeFeeMails(ctx, chain.environment, scheduledFeesIn(accounts));
  }
  const uncollectable = accounts.flatMap(({ due }, index): UncollectedPayment[] => {
    const decision = decisions[index]?.decision;
    return decision && decision.kind !== 'pull' ? [{ due, decision }] : [];
  });
  await releaseUncollected(ctx, chain, claim, [...uncollectable, ...postpone(ctx, unread)]);
  return accounts.flatMap(({ due, terms, receiver, payer }, index) => {
    const authority = payer.tokenAccount?.delegate;
    const decision = decisions[index]?.decision;
    if (decision?.kind !== 'pull' || !authority) return [];
    const { amount } = decision;
    const { receiverTokenAccount, receiverIsMissing, usable } = receiver;
    const pull = { ...terms, amount, receiverTokenAccount, receiverIsMissing, authority };
    return [{ ...due, pull, receivingAccounts: usable }];
  });
}

/** Logs and delays the payments whose accounts cannot be read. */
function postpone({ log }: AppContext, unread: readonly UnreadPayment[]): UncollectedPayment[] {
  const delays = spreadDelays(UNREAD_DELAY_MS, unread.length);
  return unread.map(({ due, error: err }, index) => {
    const subscription = due.subscription.address;
    log.error({ err, subscription }, 'accounts of a payment not read: it will be retried');
    return { due, decision: { kind: 'later', delayMs: delays[index] ?? UNREAD_DELAY_MS } };
  });
}

/**
 * Replaces a decision that was made from accounts of an older state: a payment that would fail,
 * need a new token account or wait long is retried soon, because the reason may no longer exist.
 * The chain's time in that state is old, too.
 */
function withoutFailures(judged: Judged, receiver: Receiver | undefined): Judged {
  const { kind } = judged.decision;
  const isSure = kind === 'pull' ? !receiver?.receiverIsMissing : kind === 'collected';
  if (isSure && !judged.trouble) return judged;
  return { ...judged, decision: { kind: 'later', delayMs: CLUSTER_ERROR_DELAY_MS } };
}

interface Judged {
  readonly decision: CollectDecision;
  readonly trouble: PlanTrouble | undefined;
  readonly isInDoubt: boolean;
}

/**
 * Decides in the order of the due dates: a wallet whose balance does not cover all its payments
 * makes the earliest ones.
 */
function judgeAll(
  accounts: readonly PaymentAccounts[],
  {
    gate,
    chain,
    ...circumstances
  }: Omit<Circumstances, 'remaining'> & { gate: CollectionGate; chain: Chain },
): Judged[] {
  const purses = new Map<string, Purse>();
  const creating = new Set<string>();
  const collectors = collectorAddresses(chain);
  return accounts.map(({ due, terms, payer, receiver, receiverIsInFlight, plan, mint }) => {
    const { subscription } = due;
    const remaining = purses.get(subscription.tokenAccount) ?? payer.tokenAccount;
    const payerDecision = judgePayer(due, payer, { ...circumstances, remaining });
    const trouble =
      payerDecision.kind === 'pull' || payerDecision.kind === 'fail'
        ? judgePlan({
            plan,
            receiver,
            mint,
            collectors,
            chainTime: circumstances.chainTime,
            receiverWallet: terms.receiver,
            subscription: payer.subscription,
            isClosedInMirror: subscription.plan.planStatus === 'INACTIVE',
          })
        : undefined;
    // If the plan itself cannot be paid, the payer has not failed.
    const checkedDecision = trouble ? DECISIONS[trouble.kind] : waitIfInDoubt(payerDecision, gate);
    // One payment creates the receiver's account; the others wait until it exists.
    const isInFlight = receiverIsInFlight || creating.has(receiver.receiverTokenAccount);
    const mustWait = checkedDecision.kind === 'pull' && receiver.receiverIsMissing && isInFlight;
    const decision: CollectDecision = mustWait
      ? { kind: 'later', delayMs: CLUSTER_ERROR_DELAY_MS }
      : checkedDecision;
    if (decision.kind === 'pull' && receiver.receiverIsMissing) creating.add(receiver.receiverTokenAccount);
    if (decision.kind === 'pull' && remaining) {
      purses.set(subscription.tokenAccount, {
        amount: remaining.amount - decision.amount,
        delegatedAmount: remaining.delegatedAmount - decision.amount,
      });
    }
    return { decision, trouble, isInDoubt: !trouble && checkedDecision !== payerDecision };
  });
}

/**
 * The problem of each plan whose payments are blocked, and null for each plan with a payment that
 * can be pulled. Other plans are left out.
 */
function problemsIn(accounts: readonly PaymentAccounts[], judged: readonly Judged[]): FoundProblem[] {
  const problems = new Map<string, FoundProblem>();
  for (const [index, { terms }] of accounts.entries()) {
    const { trouble, decision } = judged[index] ?? {};
    if (trouble?.kind === 'blocked') {
      problems.set(terms.plan, { address: terms.plan, problem: PROBLEMS[trouble.why] });
    } else if (decision?.kind === 'pull') {
      problems.set(terms.plan, { address: terms.plan, problem: null });
    }
  }
  return [...problems.values()];
}

/** The plans with a token that gets a transfer fee. */
function scheduledFeesIn(accounts: readonly PaymentAccounts[]): PlanWithFee[] {
  const plans = accounts.flatMap(({ terms: { plan: address }, mint, epoch }) =>
    mint?.scheduledFee ? [[address, { address, fee: mint.scheduledFee, epoch }] as const] : [],
  );
  return [...new Map(plans).values()];
}

const PROBLEMS: Readonly<Record<Extract<PlanTrouble, { kind: 'blocked' }>['why'], PlanProblem>> = {
  not_found: 'NOT_FOUND',
  unreadable: 'UNREADABLE',
  not_our_plan_to_pull: 'NOT_OUR_PLAN_TO_PULL',
  other_destination: 'OTHER_DESTINATION',
  mint_takes_fee: 'MINT_TAKES_FEE',
  mint_has_hook: 'MINT_HAS_HOOK',
  mint_paused: 'MINT_PAUSED',
  receiver_frozen: 'RECEIVER_FROZEN',
  receiver_requires_memo: 'RECEIVER_REQUIRES_MEMO',
  receiver_confidential: 'RECEIVER_CONFIDENTIAL',
  receiver_unreadable: 'RECEIVER_UNREADABLE',
  receiver_missing: 'RECEIVER_MISSING',
};

const DECISIONS: Readonly<Record<PlanTrouble['kind'], CollectDecision>> = {
  over: { kind: 'over' },
  blocked: { kind: 'later', delayMs: BLOCKED_DELAY_MS },
};

/**
 * Logs the problems that a person must fix: one line per plan, per unreadable payer, and for a
 * mirror that is behind.
 */
function logTrouble(
  { log }: AppContext,
  accounts: readonly PaymentAccounts[],
  judged: readonly Judged[],
  { because }: CollectionGate,
): void {
  const plans = new Map<string, { why: string; subscriptions: number }>();
  for (const [index, { due, terms, payer }] of accounts.entries()) {
    const { subscription } = due;
    if (payer.unreadable) {
      log.error(
        { err: payer.unreadable, subscription: subscription.address },
        'payer unreadable: collection paused for it',
      );
    }
    const trouble = judged[index]?.trouble;
    if (!trouble) continue;
    const { subscriptions } = plans.get(terms.plan) ?? { subscriptions: 0 };
    plans.set(terms.plan, { why: trouble.why, subscriptions: subscriptions + 1 });
  }
  for (const [plan, summary] of plans) {
    log.error({ plan, ...summary }, 'payments of a plan cannot be collected');
  }
  for (const [index, { decision }] of judged.entries()) {
    if (decision.kind !== 'later' || !decision.because) continue;
    const subscription = accounts[index]?.due.subscription.address;
    log.error({ subscription, why: decision.because }, 'payment held by the guard');
  }
  const inDoubt = judged.filter(({ isInDoubt }) => isInDoubt).length;
  if (inDoubt > 0)
    log.warn({ because, subscriptions: inDoubt }, 'approval missing but mirror behind: payers not failed');
}
