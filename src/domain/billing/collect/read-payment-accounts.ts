import type { AppContext } from '../../../app.ts';
import { mintsWithFee } from '../../../chain/accounts/mints-with-fee.ts';
import { type Payer, readPayers } from '../../../chain/accounts/payers.ts';
import { type PlanNow, readPlans } from '../../../chain/accounts/plans.ts';
import { type PullTerms, type Receiver, readReceivers } from '../../../chain/accounts/pulls.ts';
import type { Chain } from '../../../chain/chain.ts';
import { countReceiversRefused } from '../../../observability/metrics/counters.ts';
import type { DuePayment } from './prepare-payments.ts';
import { pullTermsOf } from './pull-terms.ts';
import {
  type ReceiverCreation,
  readReceiverCreations,
  receiverKeyOf,
  receiversLeft,
} from './receiver-creations.ts';

/** A due payment and the accounts on chain that it depends on. */
export interface PaymentAccounts {
  readonly due: DuePayment;
  readonly terms: PullTerms;
  readonly payer: Payer;
  readonly receiver: Receiver;
  /** Whether another transaction creates the receiver's account: this payment waits for it. */
  readonly receiverIsInFlight: boolean;
  readonly plan: PlanNow;
  /** Whether the issuer keeps a part of each transfer. */
  readonly mintTakesFee: boolean;
}

/**
 * Reads the accounts of each payment, in the order of `due`.
 *
 * @throws NodeBehind
 */
export async function readPaymentAccounts(
  ctx: AppContext,
  chain: Chain,
  due: readonly DuePayment[],
): Promise<PaymentAccounts[]> {
  const allTerms = due.map(({ subscription, payment }) => pullTermsOf(subscription, payment.amount));
  const keys = due.map(({ subscription: { merchantId, plan } }) => ({ merchantId, mint: plan.mint }));
  // Read before the chain: an account that is created in between then counts as in flight here.
  const creations = await readReceiverCreations(ctx.db, chain.environment, keys);
  const [payers, receivers, plans, withFee] = await Promise.all([
    readPayers(chain, allTerms),
    readReceivers(chain, allTerms),
    readPlans(
      chain,
      allTerms.map(({ plan }) => plan),
    ),
    mintsWithFee(chain, allTerms),
  ]);
  const canCreate = await creatableReceivers(ctx, chain, receivers, keys);
  return due.map((payment, index) => {
    const [terms, payer, found, key] = [allTerms[index], payers[index], receivers[index], keys[index]];
    const plan = terms && plans.get(terms.plan);
    if (!terms || !payer || !found || !key || !plan)
      throw new Error('the accounts of a payment were not read');
    const creation = creations.get(receiverKeyOf(key));
    const receiverIsInFlight = found.receiverIsMissing && isInFlight(creation, found);
    const staysMissing =
      found.receiverIsMissing && !receiverIsInFlight && (creation !== undefined || !canCreate(key));
    const receiver: Receiver = staysMissing ? { ...found, refuses: 'missing' } : found;
    const mintTakesFee = withFee.has(terms.mint);
    return { due: payment, terms, payer, receiver, plan, receiverIsInFlight, mintTakesFee };
  });
}

/**
 * Whether the account may still appear: its transaction is in flight, or the node has not
 * reached the slot in which it landed.
 */
function isInFlight(creation: ReceiverCreation | undefined, { slot }: Receiver): boolean {
  if (creation?.kind !== 'created') return creation !== undefined;
  return creation.slot !== null && slot < creation.slot;
}

/**
 * Returns whether dues may create a missing account. It pays the rent for the default mint only, up
 * to a daily maximum.
 */
async function creatableReceivers(
  { db, clock, log }: AppContext,
  { environment, config }: Chain,
  receivers: readonly Receiver[],
  keys: readonly { readonly mint: string }[],
): Promise<(key: { readonly mint: string }) => boolean> {
  const missing = keys.filter((_, index) => receivers[index]?.receiverIsMissing);
  const otherMints = missing.filter(({ mint }) => mint !== config.defaultMint).length;
  countReceiversRefused(environment, 'mint', otherMints);
  if (missing.length === otherMints) return () => false;
  const max = config.maxReceiversPerDay;
  const remaining = await receiversLeft(db, environment, max, clock.now());
  if (remaining === 0) {
    countReceiversRefused(environment, 'day', missing.length - otherMints);
    log.error({ environment, max }, 'daily maximum of merchants’ token accounts reached: none are created');
  }
  return ({ mint }) => mint === config.defaultMint && remaining > 0;
}
