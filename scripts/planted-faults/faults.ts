/** One changed line of a money rule, and the tests that are asked about it first. */
export interface Fault {
  readonly rule: string;
  readonly file: string;
  readonly from: string;
  readonly to: string;
  /** Files or folders under `test/`. */
  readonly near: readonly string[];
}

const BILLING = 'src/domain/billing';
const SCHEDULE = ['domain/billing/schedule'];
const COLLECT = ['domain/billing/collect'];
const CLAIM = [
  'scenarios/renewal.test.ts',
  'scenarios/crashed-process.test.ts',
  'faults/concurrent-workers.test.ts',
  'faults/four-workers.test.ts',
  'faults/follower.test.ts',
];
const RESTART = [
  'domain/checkout/reactivation.test.ts',
  'scenarios/reactivation.test.ts',
  'scenarios/merchant-pull.test.ts',
];
const PAYER = ['scenarios/unable-payer.test.ts'];
const PULLED = ['scenarios/merchant-pull.test.ts'];
const REVERSED = ['faults/rolled-back.test.ts', 'faults/upkeep.test.ts'];
const REFUND = ['domain/refund', 'scenarios/refunds.test.ts', 'faults/refunds.test.ts'];

/** Fifty one-line faults in rules of money. Each text occurs once in its file. */
export const FAULTS: readonly Fault[] = [
  // Period
  fault(
    'period',
    `${BILLING}/schedule/period.ts`,
    'startedAt + trialSeconds + index * intervalSeconds',
    'startedAt + index * intervalSeconds',
    SCHEDULE,
  ),
  fault(
    'period',
    `${BILLING}/schedule/period.ts`,
    'if (now < period.dueAt) return',
    'if (now <= period.dueAt) return',
    SCHEDULE,
  ),
  fault(
    'period',
    `${BILLING}/schedule/period.ts`,
    'if (now < period.periodEnd) {',
    'if (now <= period.periodEnd) {',
    SCHEDULE,
  ),
  fault(
    'period',
    `${BILLING}/schedule/period.ts`,
    'return now + landingSeconds < period.periodEnd',
    'return now < period.periodEnd',
    SCHEDULE,
  ),
  fault(
    'period',
    `${BILLING}/schedule/period.ts`,
    '/ schedule.intervalSeconds + 1n;',
    '/ schedule.intervalSeconds;',
    SCHEDULE,
  ),
  fault(
    'period',
    `${BILLING}/schedule/period.ts`,
    'const index = periodIndex - trialSeconds / intervalSeconds;',
    'const index = periodIndex;',
    SCHEDULE,
  ),
  fault(
    'period',
    `${BILLING}/schedule/first-unpaid.ts`,
    'return isPaid(running) ? paymentPeriod',
    'return !isPaid(running) ? paymentPeriod',
    [...SCHEDULE, ...RESTART],
  ),
  fault('period', `${BILLING}/schedule/billable.ts`, 'subscription.trialGranted ? BigInt', 'true ? BigInt', [
    'scenarios/trial-once.test.ts',
    'domain/checkout/reactivation.test.ts',
  ]),
  // Retry
  fault(
    'retry',
    `${BILLING}/schedule/after-failure.ts`,
    'failureCount >= settings.maxFailures',
    'failureCount > settings.maxFailures',
    SCHEDULE,
  ),
  fault(
    'retry',
    `${BILLING}/schedule/after-failure.ts`,
    'delays.length) - 1]',
    'delays.length - 1)]',
    SCHEDULE,
  ),
  fault(
    'retry',
    `${BILLING}/schedule/next-attempt.ts`,
    'if (now.getTime() < lastMs) {',
    'if (now.getTime() <= lastMs + 60_000) {',
    SCHEDULE,
  ),
  fault(
    'retry',
    `${BILLING}/settle/fail-payments.ts`,
    'subscription.failureCount + 1;',
    'subscription.failureCount;',
    PAYER,
  ),
  fault(
    'retry',
    `${BILLING}/settle/fail-payments.ts`,
    '    if (!isDue || payment.submitted || !holdsClaim',
    '    if (!isDue || !holdsClaim',
    CLAIM,
  ),
  fault(
    'retry',
    `${BILLING}/settle/fail-payments.ts`,
    'payment.submitted || !holdsClaim(subscription, claimedUntil, time)',
    'payment.submitted',
    CLAIM,
  ),
  fault(
    'retry',
    `${BILLING}/settle/settle-transfer.ts`,
    '? { failureCount: 0, nextAttemptAt',
    '? { nextAttemptAt',
    PAYER,
  ),
  fault(
    'retry',
    `${BILLING}/collect/collect-decision.ts`,
    '|| !isRepeated || !payer) return decision;',
    '|| !payer) return decision;',
    COLLECT,
  ),
  fault(
    'retry',
    `${BILLING}/collect/collect-decision.ts`,
    'if (ability.ok) return later;',
    'if (ability.ok && false) return later;',
    COLLECT,
  ),
  fault('retry', `${BILLING}/collect/retry-now.ts`, 'able."upToHere" <= available."amount"', 'true', [
    'indexer/apply/top-ups.test.ts',
  ]),
  fault(
    'retry',
    `${BILLING}/collect/retry-payment.ts`,
    'if (nextPaymentAt > now) {',
    'if (nextPaymentAt < now) {',
    ['management/retry-and-undo.test.ts'],
  ),
  // Guard
  fault(
    'guard',
    `${BILLING}/collect/judge-payer.ts`,
    'chainTime + LANDING_SECONDS >= period.periodEnd',
    'chainTime >= period.periodEnd',
    COLLECT,
  ),
  fault(
    'guard',
    `${BILLING}/collect/judge-payer.ts`,
    'if (chainTime < period.periodStart) {',
    'if (chainTime < 0n) {',
    COLLECT,
  ),
  fault(
    'guard',
    `${BILLING}/collect/judge-payer.ts`,
    'if (isPulled && account.periodStart === period.periodStart) {',
    'if (isPulled) {',
    COLLECT,
  ),
  fault(
    'guard',
    `${BILLING}/collect/judge-payer.ts`,
    '  if (account.expiresAt !== 0n) return later;',
    '',
    COLLECT,
  ),
  fault(
    'guard',
    `${BILLING}/collect/judge-payer.ts`,
    'if (!isOfSubscription(',
    'if (false && !isOfSubscription(',
    COLLECT,
  ),
  fault(
    'guard',
    `${BILLING}/collect/judge-plan.ts`,
    'subscription.planCreatedAt !== plan.createdAt',
    'subscription.planCreatedAt > plan.createdAt',
    COLLECT,
  ),
  fault('guard', `${BILLING}/collect/judge-plan.ts`, 'plan.destinations.length > 0 && ', '', COLLECT),
  fault(
    'guard',
    `${BILLING}/collect/judge-plan.ts`,
    'chainTime > plan.endsAt',
    'chainTime > plan.endsAt + 86_400n',
    COLLECT,
  ),
  fault(
    'guard',
    `${BILLING}/collect/write-signed.ts`,
    "found?.status !== 'DUE' || found.submitted",
    "found?.status !== 'DUE'",
    CLAIM,
  ),
  fault(
    'guard',
    `${BILLING}/collect/write-signed.ts`,
    'if (!COLLECTING.includes(book.subscription.status)) return false;',
    '',
    CLAIM,
  ),
  fault(
    'guard',
    `${BILLING}/collect/prepare-payments.ts`,
    "if (cancelAtPeriodEnd && decision.kind !== 'wait') return",
    'if (false) return',
    ['management/retry-and-undo.test.ts', 'scenarios/merchant-settings.test.ts'],
  ),
  fault(
    'guard',
    `${BILLING}/collect/prepare-payments.ts`,
    "if (payment.status !== 'DUE') {",
    "if (payment.status === 'MISSED') {",
    [...RESTART, ...PULLED],
  ),
  // Claim
  fault('claim', `${BILLING}/collect/due.ts`, '("claimedUntil" IS NULL OR', '(true OR', CLAIM),
  fault(
    'claim',
    `${BILLING}/book/holds-claim.ts`,
    'claimedUntil <= time) return false;',
    'claimedUntil <= new Date(0)) return false;',
    CLAIM,
  ),
  fault(
    'claim',
    `${BILLING}/book/holds-claim.ts`,
    'return subscription.claimedUntil?.getTime() === claimedUntil.getTime();',
    'return subscription.claimedUntil !== null;',
    CLAIM,
  ),
  fault(
    'claim',
    `${BILLING}/collect/claim-due.ts`,
    'ORDER BY "nextAttemptAt" LIMIT',
    'ORDER BY "nextAttemptAt" DESC LIMIT',
    CLAIM,
  ),
  fault('claim', `${BILLING}/collect/claim-due.ts`, ' AND s."nextAttemptAt" IS NOT NULL', '', CLAIM),
  // Amount
  fault(
    'amount',
    `${BILLING}/settle/settle-transfer.ts`,
    'capped(payment.amount + amount)',
    'capped(amount)',
    PULLED,
  ),
  fault(
    'amount',
    `${BILLING}/settle/settle-transfer.ts`,
    'after > nextPaymentAt ? after : nextPaymentAt',
    'after > nextPaymentAt ? after : after ?? nextPaymentAt',
    [...PULLED, 'domain/billing/settle', 'scenarios/lost-transactions.test.ts'],
  ),
  fault(
    'amount',
    `${BILLING}/settle/settle-transfer.ts`,
    'const number = book.subscription.paymentCount + 1;',
    'const number = book.subscription.paymentCount;',
    PULLED,
  ),
  fault(
    'amount',
    `${BILLING}/collect/collect-claimed.ts`,
    'amount: remaining.amount - payment.amount,',
    'amount: remaining.amount,',
    PAYER,
  ),
  fault(
    'amount',
    `${BILLING}/settle/reverse-payments.ts`,
    'paymentCount: paymentCount - 1,',
    'paymentCount,',
    REVERSED,
  ),
  fault(
    'amount',
    `${BILLING}/settle/reverse-payments.ts`,
    `bool_and(c."signature" = p."signature" AND c."amount" = p."amount")`,
    'true',
    REVERSED,
  ),
  fault('amount', `${BILLING}/settle/provably-gone.ts`, 'newestPulled > periodStart || ', '', REVERSED),
  // Refund
  fault(
    'refund',
    'src/domain/refund/refunded-amounts.ts',
    'const remaining = amount - counted - excessAmount(refunds);',
    'const remaining = amount - counted;',
    REFUND,
  ),
  fault(
    'refund',
    'src/domain/refund/refunded-amounts.ts',
    "if (status !== 'SUCCEEDED' || !finalized) return 0n;",
    "if (status !== 'SUCCEEDED') return 0n;",
    REFUND,
  ),
  fault(
    'refund',
    'src/domain/refund/create-refund.ts',
    'amount < 1n || amount > remaining',
    'amount < 1n || amount > payment.amount',
    REFUND,
  ),
  fault(
    'refund',
    'src/domain/refund/may-be-sent.ts',
    '+ amount <= payment.amount;',
    '<= payment.amount;',
    REFUND,
  ),
  // Receipt
  fault('receipt', 'src/domain/receipt/issue-receipts.ts', ' ?? 0) + 1]', ' ?? 0)]', [
    'scenarios/receipts.test.ts',
  ]),
  fault('receipt', 'src/domain/receipt/issue-receipts.ts', `      AND "receiptNumber" IS NULL\n`, '', [
    'scenarios/receipts.test.ts',
  ]),
  fault(
    'receipt',
    'src/domain/receipt/issue-receipts.ts',
    'open.get(paymentId) === signature',
    'open.has(paymentId)',
    ['scenarios/receipts.test.ts'],
  ),
];

function fault(rule: string, file: string, from: string, to: string, near: readonly string[]): Fault {
  return { rule, file, from, to, near };
}
