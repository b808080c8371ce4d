import { Counter, Histogram, Registry } from 'prom-client';
import type { Environment } from '../../generated/prisma/client.ts';

/**
 * The counters of this process, listed in docs/operations.md. The registry is global, like the log.
 * Labels have only fixed values: never a merchant, a subscription or an address.
 */
export const counterRegistry = new Registry();

const charges = new Counter({
  name: 'dues_charges_total',
  help: 'Finished attempts to collect a payment, by result: collected, failed (the payer could not pay) or void.',
  labelNames: ['environment', 'result'] as const,
  registers: [counterRegistry],
});
const fees = new Counter({
  name: 'dues_fee_lamports_total',
  help: 'Fees in lamports of our transactions that landed, with or without an error.',
  labelNames: ['environment'] as const,
  registers: [counterRegistry],
});
const backfilled = new Counter({
  name: 'dues_backfilled_transactions_total',
  help: 'Transactions read by signature after a gap, by whose they are: ours or foreign.',
  labelNames: ['environment', 'whose'] as const,
  registers: [counterRegistry],
});
const missed = new Counter({
  name: 'dues_payments_missed_total',
  help: 'Payments missed without a failure of the payer, by reason: outage (of dues) or plan (of the merchant).',
  labelNames: ['environment', 'reason'] as const,
  registers: [counterRegistry],
});
const reversed = new Counter({
  name: 'dues_payments_reversed_total',
  help: 'Settled payments that the cluster rolled back, by result: reversed, or left for an operator.',
  labelNames: ['environment', 'result'] as const,
  registers: [counterRegistry],
});
const duplicates = new Counter({
  name: 'dues_duplicate_subscriptions_total',
  help: 'Subscriptions that a second wallet created for a completed checkout session.',
  labelNames: ['environment'] as const,
  registers: [counterRegistry],
});
const expired = new Counter({
  name: 'dues_transactions_expired_total',
  help: 'Transactions that were sent and never landed: their payments are due again.',
  labelNames: ['environment'] as const,
  registers: [counterRegistry],
});
const receiversRefused = new Counter({
  name: 'dues_receivers_refused_total',
  help: 'Payments that wait because the merchant has no token account and dues does not create one, by reason: mint (not the default) or day (limit reached).',
  labelNames: ['environment', 'reason'] as const,
  registers: [counterRegistry],
});
const sponsored = new Counter({
  name: 'dues_sponsored_total',
  help: 'Checkouts of customers without SOL, by result: signed if the collector pays, otherwise the reason.',
  labelNames: ['environment', 'result'] as const,
  registers: [counterRegistry],
});
const lateDiscounts = new Counter({
  name: 'dues_late_discounts_total',
  help: 'Subscriptions with a discount whose reservation had been given back: their wallets had signed at its price.',
  labelNames: ['environment'] as const,
  registers: [counterRegistry],
});
const behind = new Counter({
  name: 'dues_node_behind_total',
  help: 'Batches of payments collected at an older slot than the known one, because the RPC node is behind.',
  labelNames: ['environment'] as const,
  registers: [counterRegistry],
});
const rpcCalls = new Counter({
  name: 'dues_rpc_requests_total',
  help: 'RPC calls, by index of the node in the list and by result: fine, busy, behind, broken or failed.',
  labelNames: ['environment', 'node', 'result'] as const,
  registers: [counterRegistry],
});
const deliveryAttempts = new Counter({
  name: 'dues_webhook_tries_total',
  help: 'Delivery attempts of webhooks, by result: delivered or failed.',
  labelNames: ['environment', 'result'] as const,
  registers: [counterRegistry],
});
const mails = new Counter({
  name: 'dues_mails_total',
  help: 'Mails, by result: sent; later or away (retried); refused, late or dropped (never sent); limit (over the daily limit).',
  labelNames: ['result'] as const,
  registers: [counterRegistry],
});
const refusals = new Counter({
  name: 'dues_rate_limit_refusals_total',
  help: 'Requests refused by a rate limit, by limit.',
  labelNames: ['limit'] as const,
  registers: [counterRegistry],
});
const uncounted = new Counter({
  name: 'dues_rate_limit_uncounted_total',
  help: 'Requests allowed without a count because the rate-limit store did not respond.',
  registers: [counterRegistry],
});
const admissionRefusals = new Counter({
  name: 'dues_admission_refusals_total',
  help: 'Requests refused at admission, by reason: limit, busy or closed.',
  labelNames: ['reason'] as const,
  registers: [counterRegistry],
});
const requests = new Histogram({
  name: 'dues_http_request_seconds',
  help: 'Duration of requests, by method, route (never the path) and status.',
  labelNames: ['method', 'route', 'status'] as const,
  buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  registers: [counterRegistry],
});
const jobs = new Histogram({
  name: 'dues_job_seconds',
  help: 'Duration of jobs, by name and result: done or failed.',
  labelNames: ['job', 'result'] as const,
  buckets: [0.005, 0.025, 0.1, 0.5, 1, 2.5, 5, 10, 30],
  registers: [counterRegistry],
});

const jobsLate = new Histogram({
  name: 'dues_job_late_seconds',
  help: 'Delay between the scheduled time of jobs and their start, by name.',
  labelNames: ['job'] as const,
  buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60],
  registers: [counterRegistry],
});

/**
 * Sets the counters of workers and indexers that alerts watch to 0. Without that, a counter would
 * first appear with its first event and have no earlier value, so `increase()` would miss the
 * event.
 */
export function initializeCounters(environments: readonly Environment[], jobNames: readonly string[]): void {
  for (const environment of environments) {
    for (const reason of ['outage', 'plan'] as const) missed.inc({ environment, reason }, 0);
    for (const result of ['reversed', 'left'] as const) reversed.inc({ environment, result }, 0);
    for (const reason of ['mint', 'day'] as const) receiversRefused.inc({ environment, reason }, 0);
    expired.inc({ environment }, 0);
    behind.inc({ environment }, 0);
  }
  for (const job of jobNames) jobs.zero({ job, result: 'failed' });
}

/** Sets the counters of the API that alerts watch to 0. */
export function initializeApiCounters(environments: readonly Environment[]): void {
  for (const environment of environments) {
    for (const result of ['day', 'collector', 'unexpected_spending'] as const)
      sponsored.inc({ environment, result }, 0);
  }
}

/** The result of an attempt to collect a payment. */
export type ChargeResult = 'collected' | 'failed' | 'void';

export function countCharges(environment: Environment, result: ChargeResult, count: number): void {
  if (count > 0) charges.inc({ environment, result }, count);
}

export function countPaymentsMissed(
  environment: Environment,
  reason: 'outage' | 'plan',
  count: number,
): void {
  missed.inc({ environment, reason }, count);
}

export function countPaymentsReversed(
  environment: Environment,
  result: 'reversed' | 'left',
  count: number,
): void {
  if (count > 0) reversed.inc({ environment, result }, count);
}

export function countDuplicateSubscription(environment: Environment): void {
  duplicates.inc({ environment });
}

export function countTransactionsExpired(environment: Environment, count: number): void {
  if (count > 0) expired.inc({ environment }, count);
}

/**
 * @param reason `mint`: the plan does not use the default mint; `young`: the merchant is too young;
 *   `day`: the daily limit is reached
 */
export function countReceiversRefused(
  environment: Environment,
  reason: 'mint' | 'young' | 'day',
  count: number,
): void {
  if (count > 0) receiversRefused.inc({ environment, reason }, count);
}

/** Whether the collector paid for a customer, or why not. */
export type SponsorResult =
  | 'signed'
  /** The wallet has too little of the token for the first payment. */
  | 'balance'
  | 'collector'
  /** The daily maximum of the environment is used up. */
  | 'day'
  /** A daily maximum of the merchant is used up. */
  | 'merchant'
  /** The plan's token is neither the default nor configured. */
  | 'mint'
  /** Merchants that have not collected yet have used up their part of the daily maximum. */
  | 'new_merchants'
  | 'no_token_account'
  /** The plan costs less than one whole token. */
  | 'price'
  /** Unsigned transactions hold too much of the maximum for this caller. */
  | 'share'
  | 'unexpected_spending'
  /** The wallet was sponsored for this plan before. */
  | 'wallet'
  | 'would_fail'
  /** The merchant was created too recently. */
  | 'young';

export function countSponsored(environment: Environment, result: SponsorResult): void {
  sponsored.inc({ environment, result });
}

export function countLateDiscount(environment: Environment): void {
  lateDiscounts.inc({ environment });
}

export function countNodeBehind(environment: Environment): void {
  behind.inc({ environment });
}

export function countFees(environment: Environment, lamports: bigint): void {
  fees.inc({ environment }, Number(lamports));
}

/** @param node index of the node in the list, because its URL may contain a key */
export function countRpcCall(environment: Environment, node: string, result: string): void {
  rpcCalls.inc({ environment, node, result });
}

/**
 * Counts backfilled transactions. Foreign ones name the program, but no plan or subscription of
 * dues.
 */
export function countBackfilled(
  environment: Environment,
  { ours, foreign }: { readonly ours: number; readonly foreign: number },
): void {
  if (ours > 0) backfilled.inc({ environment, whose: 'ours' }, ours);
  if (foreign > 0) backfilled.inc({ environment, whose: 'foreign' }, foreign);
}

export function countDeliveryAttempts(
  attempts: readonly { readonly environment: Environment; readonly ok: boolean }[],
): void {
  for (const { environment, ok } of attempts)
    deliveryAttempts.inc({ environment, result: ok ? 'delivered' : 'failed' });
}

/** The result of an attempt to send a mail; `limit` if the mail was not even written. */
export type MailResult = 'sent' | 'later' | 'away' | 'refused' | 'late' | 'dropped' | 'limit';

export function countMails(result: MailResult, count: number): void {
  mails.inc({ result }, count);
}

export function countRefusal(limit: string): void {
  refusals.inc({ limit });
}

/**
 * `limit`: the caller is over its limit. `busy`: too many requests wait. `closed`: the connection
 * was closed because it sent too many requests.
 */
export type AdmissionRefusal = 'limit' | 'busy' | 'closed';

export function countAdmissionRefusal(reason: AdmissionRefusal): void {
  admissionRefusals.inc({ reason });
}

export function countUncounted(): void {
  uncounted.inc();
}

export function timeRequest(
  request: { readonly method: string; readonly route: string; readonly status: number },
  seconds: number,
): void {
  const { method, route, status } = request;
  requests.observe({ method, route, status: String(status) }, seconds);
}

export function timeJob(job: string, result: 'done' | 'failed', seconds: number): void {
  jobs.observe({ job, result }, seconds);
}

export function timeJobLate(job: string, seconds: number): void {
  jobsLate.observe({ job }, Math.max(0, seconds));
}
