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
  /** The issuer keeps a part of each transfer. */
  readonly mintTakesFee: boolean;
}

/**
 * Reads the accounts of each payment, in their order.
 *
 * @throws NodeBehind
 */
export async function readPaymentAccounts(
  ctx: AppContext,
  chain: Chain,
  due: readonly DuePayment[],
): Promise<PaymentAccounts[]> {
  const all = due.map(({ subscription, payment }) => pullTermsOf(subscription, payment.amount));
  const keys = due.map(({ subscription: { merchantId, plan } }) => ({ merchantId, mint: plan.mint }));
  // Read before the chain: an account that is created in between then counts as in flight here.
  const creations = await readReceiverCreations(ctx.db, chain.environment, keys);
  const [payers, receivers, plans, withFee] = await Promise.all([
    readPayers(chain, all),
    readReceivers(chain, all),
    readPlans(
      chain,
      all.map(({ plan }) => plan),
    ),
    mintsWithFee(chain, all),
  ]);
  const mayMake = await creatableReceivers(ctx, chain, receivers, keys);
  return due.map((one, index) => {
    const [terms, payer, found, key] = [all[index], payers[index], receivers[index], keys[index]];
    const plan = terms && plans.get(terms.plan);
    if (!terms || !payer || !found || !key || !plan)
      throw new Error('the accounts of a payment were not read');
    const creation = creations.get(receiverKeyOf(key));
    const receiverIsInFlight = found.receiverIsMissing && isInFlight(creation, found);
    const isLost =
      found.receiverIsMissing && !receiverIsInFlight && (creation !== undefined || !mayMake(key));
    const receiver: Receiver = isLost ? { ...found, refuses: 'missing' } : found;
    const mintTakesFee = withFee.has(terms.mint);
    return { due: one, terms, payer, receiver, plan, receiverIsInFlight, mintTakesFee };
  });
}

/** Whether the account may still appear: its transaction is in flight, or the node is behind it. */
function isInFlight(creation: ReceiverCreation | undefined, { slot }: Receiver): boolean {
  if (creation?.kind !== 'created') return creation !== undefined;
  return creation.slot !== null && slot < creation.slot;
}

/** Dues pays the rent of accounts of the default mint only, up to a daily maximum. */
async function creatableReceivers(
  { db, clock, log }: AppContext,
  { environment, config }: Chain,
  receivers: readonly Receiver[],
  keys: readonly { readonly mint: string }[],
): Promise<(key: { readonly mint: string }) => boolean> {
  const gone = keys.filter((_, index) => receivers[index]?.receiverIsMissing);
  const others = gone.filter(({ mint }) => mint !== config.defaultMint).length;
  countReceiversRefused(environment, 'mint', others);
  if (gone.length === others) return () => false;
  const max = config.maxReceiversPerDay;
  const left = await receiversLeft(db, environment, max, clock.now());
  if (left === 0) {
    countReceiversRefused(environment, 'day', gone.length - others);
    log.error({ environment, max }, 'daily maximum of merchants’ token accounts reached: none are created');
  }
  return ({ mint }) => mint === config.defaultMint && left > 0;
}
