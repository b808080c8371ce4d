import { Counter, Histogram, Registry } from 'prom-client';
import type { Environment } from '../generated/prisma/client.ts';

/**
 * What this process has counted since it began; docs/operations.md lists it. One for the process, as its log is. No label
 * has more values than the code names: never a merchant, a subscription or an address.
 */
export const counted = new Registry();

const charges = new Counter({
  name: 'dues_charges_total',
  help: 'Attempts to collect a payment that are over, by result: collected, failed (the payer could not pay) or void.',
  labelNames: ['environment', 'result'] as const,
  registers: [counted],
});
const fees = new Counter({
  name: 'dues_fee_lamports_total',
  help: 'Lamports paid for transactions of ours that landed, with or without an error.',
  labelNames: ['environment'] as const,
  registers: [counted],
});
const tries = new Counter({
  name: 'dues_webhook_tries_total',
  help: 'HTTP tries of webhooks, by result: delivered or failed.',
  labelNames: ['environment', 'result'] as const,
  registers: [counted],
});
const refusals = new Counter({
  name: 'dues_rate_limit_refusals_total',
  help: 'Requests that were refused because their caller made too many, by limit.',
  labelNames: ['limit'] as const,
  registers: [counted],
});
const uncounted = new Counter({
  name: 'dues_rate_limit_uncounted_total',
  help: 'Requests that were let through uncounted because whoever counts did not answer.',
  registers: [counted],
});
const requests = new Histogram({
  name: 'dues_http_request_seconds',
  help: 'How long requests took to answer, by method, route (never the path) and status.',
  labelNames: ['method', 'route', 'status'] as const,
  buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  registers: [counted],
});
const jobs = new Histogram({
  name: 'dues_job_seconds',
  help: 'How long jobs ran, by name and result: done or failed.',
  labelNames: ['job', 'result'] as const,
  buckets: [0.005, 0.025, 0.1, 0.5, 1, 2.5, 5, 10, 30],
  registers: [counted],
});

/** How an attempt to collect a payment ended. */
export type ChargeResult = 'collected' | 'failed' | 'void';

export function countCharges(environment: Environment, result: ChargeResult, count: number): void {
  if (count > 0) charges.inc({ environment, result }, count);
}

export function countFees(environment: Environment, lamports: bigint): void {
  fees.inc({ environment }, Number(lamports));
}

export function countTries(
  made: readonly { readonly environment: Environment; readonly ok: boolean }[],
): void {
  for (const { environment, ok } of made) tries.inc({ environment, result: ok ? 'delivered' : 'failed' });
}

export function countRefusal(limit: string): void {
  refusals.inc({ limit });
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
