import type { AppContext } from '../../app.ts';
import type { Chain } from '../../chain/chain.ts';
import { byCollector, collectorAddresses } from '../../chain/collectors.ts';
import { type Payer, type Purse, readPayers } from '../../chain/payers.ts';
import { type PlanNow, readPlans } from '../../chain/plans.ts';
import { type Pull, type PullTerms, type Receiver, readReceivers } from '../../chain/pulls.ts';
import { readChainTime } from '../../chain/read-accounts.ts';
import type { PlanProblem } from '../../generated/prisma/client.ts';
import { type CollectionGate, collectionMayGoOn } from '../mirror/collection-may-go-on.ts';
import { type FoundProblem, noteProblems } from '../plan/note-problems.ts';
import { type Claim, release } from './claim-due.ts';
import { judgePayer } from './judge-payer.ts';
import { judgePlan, type PlanTrouble } from './judge-plan.ts';
import { type DuePayment, preparePayments } from './prepare-payments.ts';
import { pullTermsOf } from './pull-terms.ts';
import { type Refused, refuse } from './refuse.ts';
import { submitPulls } from './submit-pulls.ts';
import { BLOCKED_DELAY_MS, TROUBLE_DELAY_MS, unlessInDoubt, type Verdict } from './verdict.ts';

/** A payment with all that the chain must be told to collect it. */
export interface PayablePayment extends DuePayment {
  readonly pull: Pull;
}

/** Collects from claimed subscriptions: the steps 3 to 6 of docs/architecture.md, "Collect". Never rejects. */
export async function collectClaimed(ctx: AppContext, chain: Chain, claim: Claim): Promise<void> {
  try {
    const due = await preparePayments(ctx, claim.subscriptionIds);
    if (due.length === 0) return;
    const payable = await refuseThoseWhoCannotPay(ctx, chain, claim, due);
    // Trouble with one collector is no reason to leave what the other one has to collect.
    const shares = await byCollector(chain, payable);
    const outcomes = await Promise.allSettled(
      shares.map(({ chain: its, items }) => submitPulls(ctx, its, claim, items)),
    );
    for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
  } catch (err) {
    // RPC or database trouble says nothing about any customer: hand everything back as it was.
    const { environment } = chain;
    const subscriptions = claim.subscriptionIds.length;
    ctx.log.error({ err, environment, subscriptions }, 'collection failed, will be tried again');
    const nextAttemptAt = new Date(ctx.clock.now().getTime() + TROUBLE_DELAY_MS);
    const all = claim.subscriptionIds.map((subscriptionId) => ({ subscriptionId, nextAttemptAt }));
    // Where even that fails, the claim runs out.
    await release(ctx, claim.until, all).catch((error: unknown) => {
      ctx.log.error({ err: error, environment, subscriptions }, 'claim not given back, will run out');
    });
  }
}

/** Reads what stands behind every payment; those that cannot be paid fail here, before any fee is spent on them. */
async function refuseThoseWhoCannotPay(
  ctx: AppContext,
  chain: Chain,
  claim: Claim,
  due: readonly DuePayment[],
): Promise<PayablePayment[]> {
  const gate = await collectionMayGoOn(ctx, chain.environment);
  const behind = await readBehind(chain, due);
  const chainTime = await readChainTime(chain);
  const verdicts = judgeAll(behind, { now: ctx.clock.now(), chainTime, gate, chain });
  tellOfTrouble(ctx, behind, verdicts, gate);
  await noteProblems(ctx, chain.environment, problemsIn(behind, verdicts));
  await refuse(
    ctx,
    chain,
    claim,
    behind.flatMap((one, index): Refused[] => {
      const verdict = verdicts[index]?.verdict;
      return verdict && verdict.kind !== 'pull' ? [{ due: one.due, refusal: verdict }] : [];
    }),
  );
  return behind.flatMap(({ due: one, terms, receiver, payer }, index) => {
    const authority = payer.tokenAccount?.delegate;
    if (verdicts[index]?.verdict.kind !== 'pull' || !authority) return [];
    const { receiverTokenAccount, receiverIsMissing } = receiver;
    return [{ ...one, pull: { ...terms, receiverTokenAccount, receiverIsMissing, authority } }];
  });
}

/** A due payment and what the chain has behind it. */
interface Behind {
  readonly due: DuePayment;
  readonly terms: PullTerms;
  readonly payer: Payer;
  readonly receiver: Receiver;
  readonly plan: PlanNow;
}

async function readBehind(chain: Chain, due: readonly DuePayment[]): Promise<Behind[]> {
  const all = due.map(({ subscription, payment }) => pullTermsOf(subscription, payment.amount));
  const [payers, receivers, plans] = await Promise.all([
    readPayers(chain, all),
    readReceivers(chain, all),
    readPlans(
      chain,
      all.map(({ plan }) => plan),
    ),
  ]);
  return due.map((one, index) => {
    const [terms, payer, receiver] = [all[index], payers[index], receivers[index]];
    const plan = terms && plans.get(terms.plan);
    if (!terms || !payer || !receiver || !plan) throw new Error('what is behind a payment was not read');
    return { due: one, terms, payer, receiver, plan };
  });
}

interface Judged {
  readonly verdict: Verdict;
  readonly trouble: PlanTrouble | undefined;
  readonly isInDoubt: boolean;
}

/** In the order in which they became due: a wallet that cannot pay for all pays for the first ones. */
function judgeAll(
  behind: readonly Behind[],
  { now, chainTime, gate, chain }: { now: Date; chainTime: bigint; gate: CollectionGate; chain: Chain },
): Judged[] {
  const purses = new Map<string, Purse>();
  const collectors = collectorAddresses(chain);
  return behind.map(({ due, terms, payer, receiver, plan }) => {
    const { subscription, payment } = due;
    const left = purses.get(subscription.tokenAccount) ?? payer.tokenAccount;
    const ofPayer = judgePayer(due, payer, { now, chainTime, left });
    const trouble =
      ofPayer.kind === 'pull' || ofPayer.kind === 'fail'
        ? judgePlan({
            ...{ plan, receiver, collectors, chainTime, receiverWallet: terms.receiver },
            subscription: payer.subscription,
            isClosedInMirror: subscription.plan.planStatus === 'INACTIVE',
          })
        : undefined;
    // No payer is to blame for what no payer could have paid.
    const verdict = trouble ? VERDICTS[trouble.kind] : unlessInDoubt(ofPayer, gate);
    if (verdict.kind === 'pull' && left) {
      purses.set(subscription.tokenAccount, {
        amount: left.amount - payment.amount,
        delegatedAmount: left.delegatedAmount - payment.amount,
      });
    }
    return { verdict, trouble, isInDoubt: !trouble && verdict !== ofPayer };
  });
}

/** Of each plan whose payments are, or could be, collected now. */
function problemsIn(behind: readonly Behind[], judged: readonly Judged[]): FoundProblem[] {
  const problems = new Map<string, FoundProblem>();
  for (const [index, { terms }] of behind.entries()) {
    const { trouble, verdict } = judged[index] ?? {};
    if (trouble?.kind === 'blocked') {
      problems.set(terms.plan, { address: terms.plan, problem: PROBLEMS[trouble.why] });
    } else if (verdict?.kind === 'pull') {
      problems.set(terms.plan, { address: terms.plan, problem: null });
    }
  }
  return [...problems.values()];
}

const PROBLEMS: Readonly<Record<Extract<PlanTrouble, { kind: 'blocked' }>['why'], PlanProblem>> = {
  not_found: 'NOT_FOUND',
  unreadable: 'UNREADABLE',
  not_our_plan_to_pull: 'NOT_OUR_PLAN_TO_PULL',
  other_destination: 'OTHER_DESTINATION',
  receiver_frozen: 'RECEIVER_FROZEN',
  receiver_requires_memo: 'RECEIVER_REQUIRES_MEMO',
  receiver_unreadable: 'RECEIVER_UNREADABLE',
};

const VERDICTS: Readonly<Record<PlanTrouble['kind'], Verdict>> = {
  over: { kind: 'over' },
  blocked: { kind: 'later', delayMs: BLOCKED_DELAY_MS },
};

/** Somebody has to do something: once a plan, and once for what cannot be read or waits for the mirror. */
function tellOfTrouble(
  { log }: AppContext,
  behind: readonly Behind[],
  judged: readonly Judged[],
  { because }: CollectionGate,
): void {
  const plans = new Map<string, { why: string; subscriptions: number }>();
  for (const [index, { due, terms, payer }] of behind.entries()) {
    const { subscription } = due;
    if (payer.unreadable) {
      log.error(
        { err: payer.unreadable, subscription: subscription.address },
        'a payer cannot be read, nothing is collected from it for now',
      );
    }
    const trouble = judged[index]?.trouble;
    if (!trouble) continue;
    const { subscriptions } = plans.get(terms.plan) ?? { subscriptions: 0 };
    plans.set(terms.plan, { why: trouble.why, subscriptions: subscriptions + 1 });
  }
  for (const [plan, about] of plans) {
    log.error({ plan, ...about }, 'the payments of a plan cannot be collected');
  }
  const inDoubt = judged.filter(({ isInDoubt }) => isInDoubt).length;
  if (inDoubt > 0)
    log.warn({ because, subscriptions: inDoubt }, 'nobody is blamed for an approval that is gone');
}
