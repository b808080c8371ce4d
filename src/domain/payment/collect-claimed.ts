import type { AppContext } from '../../app.ts';
import type { Chain } from '../../chain/chain.ts';
import { byCollector } from '../../chain/collectors.ts';
import { type Payer, type Purse, readPayers } from '../../chain/payers.ts';
import { type Pull, readReceivers } from '../../chain/pulls.ts';
import { readChainTime } from '../../chain/read-accounts.ts';
import { type Claim, release } from './claim-due.ts';
import { judgePayer } from './judge-payer.ts';
import { type DuePayment, preparePayments } from './prepare-payments.ts';
import { pullTermsOf } from './pull-terms.ts';
import { type Refused, refuse } from './refuse.ts';
import { submitPulls } from './submit-pulls.ts';
import { TROUBLE_DELAY_MS, type Verdict } from './verdict.ts';

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
  const terms = due.map(({ subscription, payment }) => pullTermsOf(subscription, payment.amount));
  const [payers, receivers, chainTime] = await Promise.all([
    readPayers(chain, terms),
    readReceivers(chain, terms),
    readChainTime(chain),
  ]);
  const verdicts = judgeAll(due, payers, { now: ctx.clock.now(), chainTime });
  const refused = due.flatMap((one, index): Refused[] => {
    const verdict = verdicts[index];
    return verdict && verdict.kind !== 'pull' ? [{ due: one, refusal: verdict }] : [];
  });
  await refuse(ctx, chain, claim, refused);
  return due.flatMap((one, index) => {
    const [term, receiver] = [terms[index], receivers[index]];
    const authority = payers[index]?.tokenAccount?.delegate;
    if (verdicts[index]?.kind !== 'pull' || !term || !receiver || !authority) return [];
    return [{ ...one, pull: { ...term, ...receiver, authority } }];
  });
}

/** In the order in which they became due: a wallet that cannot pay for all pays for the first ones. */
function judgeAll(
  due: readonly DuePayment[],
  payers: readonly Payer[],
  clocks: { readonly now: Date; readonly chainTime: bigint },
): Verdict[] {
  const purses = new Map<string, Purse>();
  return due.map((one, index) => {
    const payer = payers[index];
    if (!payer) throw new Error('a payer was not read');
    const { tokenAccount: address } = one.subscription;
    const left = purses.get(address) ?? payer.tokenAccount;
    const verdict = judgePayer(one, payer, { ...clocks, left });
    if (verdict.kind === 'pull' && left) {
      const { amount } = one.payment;
      purses.set(address, {
        amount: left.amount - amount,
        delegatedAmount: left.delegatedAmount - amount,
      });
    }
    return verdict;
  });
}
