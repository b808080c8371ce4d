import type { AppContext } from '../../../app.ts';
import { readMintFacts } from '../../../chain/accounts/mint-facts.ts';
import { type Payer, readPayers } from '../../../chain/accounts/payers.ts';
import { type PlanNow, readPlans } from '../../../chain/accounts/plans.ts';
import { type PullTerms, type Receiver, readReceivers } from '../../../chain/accounts/pulls.ts';
import { readApart, Unread } from '../../../chain/accounts/read-apart.ts';
import type { MintFacts } from '../../../chain/accounts/token-extensions.ts';
import type { Chain } from '../../../chain/chain.ts';
import { countReceiversRefused } from '../../../observability/metrics/counters.ts';
import { merchantsWithRent } from '../../chain-state/collector/merchants-with-rent.ts';
import type { DuePayment } from './prepare-payments.ts';
import { pullTermsOf } from './pull-terms.ts';
import {
  type ReceiverCreation,
  type ReceiverKey,
  readReceiverFacts,
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
  /** Undefined for a token without extensions. */
  readonly mint: MintFacts | undefined;
  /** The epoch of the cluster if `mint` is known, otherwise 0. */
  readonly epoch: bigint;
}

/** A due payment whose accounts cannot be read although the cluster answers, and the error. */
export interface UnreadPayment {
  readonly due: DuePayment;
  readonly error: unknown;
}

export interface ReadPayments {
  /** In the order of `due`. */
  readonly accounts: readonly PaymentAccounts[];
  readonly unread: readonly UnreadPayment[];
}

/**
 * Reads the accounts of each payment. One that cannot be read concerns only its own payments.
 *
 * @throws NodeBehind, and the error of a cluster that does not answer
 */
export async function readPaymentAccounts(
  ctx: AppContext,
  chain: Chain,
  due: readonly DuePayment[],
): Promise<ReadPayments> {
  const allTerms = due.map(({ subscription, payment }) => pullTermsOf(subscription, payment.amount));
  const keys = due.map(({ subscription: { merchantId, plan } }) => ({ merchantId, mint: plan.mint }));
  // Read before the chain: an account that is created in between then counts as in flight here.
  const facts = await readReceiverFacts(ctx.db, chain.environment, keys);
  const accountsOf = new Map(
    due.map(({ subscription: { merchantId, merchant, plan } }) => [
      `${merchant.walletAddress} ${plan.mint}`,
      facts.get(receiverKeyOf({ merchantId, mint: plan.mint }))?.accounts ?? 1,
    ]),
  );
  const read = await readApart(chain, allTerms, (partChain, part) =>
    readTogether(partChain, part, ({ receiver, mint }) => accountsOf.get(`${receiver} ${mint}`) ?? 1),
  );
  const found = read.flatMap((accounts, index) => {
    const [payment, key] = [due[index], keys[index]];
    return payment && key && !(accounts instanceof Unread) ? [{ due: payment, key, ...accounts }] : [];
  });
  const canCreate = await creatableReceivers(ctx, chain, found);
  const accounts = found.map(({ key, ...paymentAccounts }): PaymentAccounts => {
    const { receiver, mint } = paymentAccounts;
    const creation = facts.get(receiverKeyOf(key))?.creation;
    const receiverIsInFlight = receiver.receiverIsMissing && isInFlight(creation, receiver);
    // A new account of a mint that starts frozen could not be paid.
    const mayCreate = creation === undefined && !mint?.startsFrozen && canCreate(key);
    const staysMissing = receiver.receiverIsMissing && !receiverIsInFlight && !mayCreate;
    return {
      ...paymentAccounts,
      receiverIsInFlight,
      receiver: staysMissing ? { ...receiver, refuses: 'missing' } : receiver,
    };
  });
  const unread = read.flatMap((accounts, index): UnreadPayment[] => {
    const payment = due[index];
    return payment && accounts instanceof Unread ? [{ due: payment, error: accounts.error }] : [];
  });
  return { accounts, unread };
}

/** The accounts on chain of each pull, in the order of the terms. */
async function readTogether(
  chain: Chain,
  allTerms: readonly PullTerms[],
  countOf: (terms: PullTerms) => number,
): Promise<Pick<PaymentAccounts, 'terms' | 'payer' | 'receiver' | 'plan' | 'mint' | 'epoch'>[]> {
  const [payers, receivers, plans, mints] = await Promise.all([
    readPayers(chain, allTerms),
    readReceivers(chain, allTerms, countOf),
    readPlans(
      chain,
      allTerms.map(({ plan }) => plan),
    ),
    readMintFacts(chain, allTerms),
  ]);
  return allTerms.map((terms, index) => {
    const [payer, receiver, plan] = [payers[index], receivers[index], plans.get(terms.plan)];
    if (!payer || !receiver || !plan) throw new Error('the accounts of a payment were not read');
    return { terms, payer, receiver, plan, mint: mints.facts.get(terms.mint), epoch: mints.epoch };
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
 * Returns whether dues may create a missing account. It pays the rent for the default mint only, for
 * merchants of some age, and up to a daily maximum.
 */
async function creatableReceivers(
  { db, clock, log }: AppContext,
  { environment, config }: Chain,
  found: readonly { readonly receiver: Receiver; readonly key: ReceiverKey }[],
): Promise<(key: ReceiverKey) => boolean> {
  const { defaultMint, maxReceiversPerDay: max, paysRentAfterDays: afterDays } = config;
  const missing = found.flatMap(({ receiver, key }) => (receiver.receiverIsMissing ? [key] : []));
  const ofMint = missing.filter(({ mint }) => mint === defaultMint);
  countReceiversRefused(environment, 'mint', missing.length - ofMint.length);
  if (ofMint.length === 0) return () => false;
  const now = clock.now();
  const ids = ofMint.map(({ merchantId }) => merchantId);
  const merchants = await merchantsWithRent(db, environment, ids, { now, afterDays });
  const ofAge = ofMint.filter(({ merchantId }) => merchants.has(merchantId));
  countReceiversRefused(environment, 'young', ofMint.length - ofAge.length);
  if (ofAge.length === 0) return () => false;
  const left = await receiversLeft(db, environment, max, now);
  const isWithinMax = ({ merchantId }: ReceiverKey) =>
    (merchants.get(merchantId)?.hasCollected ? left.all : left.forNew) > 0;
  const beyond = ofAge.filter((key) => !isWithinMax(key)).length;
  if (beyond > 0) {
    countReceiversRefused(environment, 'day', beyond);
    log.error(
      { environment, max },
      'daily maximum of merchants’ token accounts reached: some are not created',
    );
  }
  return (key) => key.mint === defaultMint && merchants.has(key.merchantId) && isWithinMax(key);
}
