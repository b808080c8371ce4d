/** One changed line of a money rule, and the tests that are asked about it first. */
export interface Fault {
  readonly rule: string;
  readonly file: string;
  readonly from: string;
  readonly to: string;
  /** Where `from` begins; without it `from` occurs once. */
  readonly at?: number;
  /** Files or folders under `test/`. */
  readonly near: readonly string[];
}

/** Changes of one file that break the same rule: a text that occurs once, and its replacement. */
interface Group extends Pick<Fault, 'rule' | 'file' | 'near'> {
  readonly changes: readonly (readonly [from: string, to: string])[];
}

const BILLING = 'src/domain/billing';
const SCHEDULE = ['domain/billing/schedule'];
const COLLECT = ['domain/billing/collect'];
const CLAIM = [
  'domain/billing/book',
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
const RECEIVING = ['scenarios/receiving-accounts.test.ts'];
const REFUND = ['domain/refund', 'scenarios/refunds.test.ts', 'faults/refunds.test.ts'];

const GROUPS: readonly Group[] = [
  {
    rule: 'period',
    file: `${BILLING}/schedule/period.ts`,
    near: SCHEDULE,
    changes: [
      ['anchorOffsetSeconds + index * intervalSeconds', 'index * intervalSeconds'],
      ['secondsLeft < MIN_SECONDS_TO_LAND ?', 'secondsLeft <= MIN_SECONDS_TO_LAND ?'],
      ['if (now < period.dueAt) return', 'if (now <= period.dueAt) return'],
      ['if (now < period.periodEnd) {', 'if (now <= period.periodEnd) {'],
      ['return now + landingSeconds < period.periodEnd', 'return now < period.periodEnd'],
      ['paymentsUntil(schedule, periodStartAt(schedule, now))', 'paymentsUntil(schedule, now)'],
      ['period?.periodStart === periodStart ? period', 'period ? period'],
    ],
  },
  {
    rule: 'period',
    file: `${BILLING}/schedule/first-unpaid.ts`,
    near: [...SCHEDULE, ...RESTART],
    changes: [['return isPaid(running) ? paymentPeriod', 'return !isPaid(running) ? paymentPeriod']],
  },
  {
    rule: 'period',
    file: `${BILLING}/schedule/billable.ts`,
    near: ['scenarios/trial-once.test.ts', 'domain/checkout/reactivation.test.ts'],
    changes: [['trialGranted ? plan.trialPeriodSeconds : 0', 'plan.trialPeriodSeconds']],
  },
  {
    rule: 'retry',
    file: `${BILLING}/schedule/after-failure.ts`,
    near: SCHEDULE,
    changes: [
      ['failureCount >= settings.maxFailures', 'failureCount > settings.maxFailures'],
      ['delays.length) - 1]', 'delays.length - 1)]'],
    ],
  },
  {
    rule: 'retry',
    file: `${BILLING}/schedule/retry-time.ts`,
    near: SCHEDULE,
    changes: [['if (now.getTime() < lastMs) {', 'if (now.getTime() <= lastMs + 60_000) {']],
  },
  {
    rule: 'retry',
    file: `${BILLING}/settle/fail-payments.ts`,
    near: PAYER,
    changes: [['subscription.failureCount + (isExtra ? 0 : 1);', 'subscription.failureCount;']],
  },
  {
    rule: 'retry',
    file: `${BILLING}/settle/fail-payments.ts`,
    near: CLAIM,
    changes: [
      ['    if (!isDue || payment.submitted || !holdsClaim', '    if (!isDue || !holdsClaim'],
      ['payment.submitted || !holdsClaim(subscription, claimedUntil, time)', 'payment.submitted'],
    ],
  },
  {
    rule: 'retry',
    file: `${BILLING}/settle/settle-transfer.ts`,
    near: PAYER,
    changes: [['failureCount: 0,', '']],
  },
  {
    rule: 'retry',
    file: `${BILLING}/collect/collect-decision.ts`,
    near: COLLECT,
    changes: [
      ['|| !isRepeated || !payer) return decision;', '|| !payer) return decision;'],
      ['if (ability.ok) return later;', 'if (ability.ok && false) return later;'],
    ],
  },
  {
    rule: 'retry',
    file: `${BILLING}/collect/retry-now.ts`,
    near: ['indexer/apply/top-ups.test.ts'],
    changes: [['able."upToHere" <= available."amount"', 'true']],
  },
  {
    rule: 'retry',
    file: `${BILLING}/collect/retry-payment.ts`,
    near: ['management/retry-and-undo.test.ts'],
    changes: [['if (nextDueAt > now) throw', 'if (nextDueAt < now) throw']],
  },
  {
    rule: 'guard',
    file: `${BILLING}/collect/judge-payer.ts`,
    near: COLLECT,
    changes: [
      ['chainTime + LANDING_SECONDS >= period.periodEnd', 'chainTime >= period.periodEnd'],
      ['if (chainTime < period.periodStart) {', 'if (chainTime < 0n) {'],
      ['  if (account.expiresAt !== 0n) return later;', ''],
      ['if (!isOfSubscription(', 'if (false && !isOfSubscription('],
    ],
  },
  {
    rule: 'guard',
    file: `${BILLING}/lifecycle/match-subscriptions.ts`,
    near: ['domain/billing/lifecycle', ...COLLECT, 'domain/checkout/observe-subscriptions.test.ts'],
    changes: [
      ['pulled === 0n ? periodStart === createdAt : hasPeriod', 'hasPeriod'],
      ['return periodStart >= createdAt && ', 'return '],
    ],
  },
  {
    rule: 'guard',
    file: `${BILLING}/collect/guard-pull.ts`,
    near: [...COLLECT, 'scenarios/guarded-pull.test.ts'],
    changes: [
      ["if (pulled > booked) return { kind: 'search' };", ''],
      ['return periodStart === period.periodStart ? pulled : 0n;', 'return 0n;'],
      ['if (isOld && amount + amount <= left)', 'if (isOld && amount <= 0n)'],
      ['amount: amount < left ? amount : left', 'amount'],
    ],
  },
  {
    rule: 'guard',
    file: `${BILLING}/follow/follow-transactions.ts`,
    near: ['scenarios/guarded-pull.test.ts'],
    changes: [['  await recordSlot(ctx, environment, slot);', '']],
  },
  {
    rule: 'guard',
    file: `${BILLING}/collect/judge-plan.ts`,
    near: COLLECT,
    changes: [
      ['subscription.planCreatedAt !== plan.createdAt', 'subscription.planCreatedAt > plan.createdAt'],
      ['plan.destinations.length > 0 && ', ''],
      ['chainTime > plan.endsAt', 'chainTime > plan.endsAt + 86_400n'],
    ],
  },
  {
    rule: 'guard',
    file: `${BILLING}/collect/write-signed.ts`,
    near: CLAIM,
    changes: [
      ['payments.some(({ submitted }) => submitted) || paidAmountOf', 'paidAmountOf'],
      ['if (!COLLECTING.includes(book.subscription.status)) return false;', ''],
    ],
  },
  {
    rule: 'guard',
    file: `${BILLING}/collect/prepare-payments.ts`,
    near: ['management/retry-and-undo.test.ts', 'scenarios/merchant-settings.test.ts'],
    changes: [["if (cancelAtPeriodEnd && decision.kind !== 'wait') return", 'if (false) return']],
  },
  {
    rule: 'guard',
    file: `${BILLING}/collect/prepare-payments.ts`,
    near: ['domain/billing/collect', ...RESTART, ...PULLED],
    changes: [
      [
        "payments.find(({ status }) => status === 'DUE')",
        "payments.find(({ status }) => status !== 'MISSED')",
      ],
    ],
  },
  {
    rule: 'claim',
    file: 'src/db/claim.ts',
    near: CLAIM,
    changes: [
      ['IS NULL OR', 'IS NULL OR true OR'],
      ['claimedUntil <= time) return false;', 'claimedUntil <= new Date(0)) return false;'],
      ['return row.claimedUntil?.getTime() === claimedUntil.getTime();', 'return row.claimedUntil !== null;'],
    ],
  },
  {
    rule: 'claim',
    file: `${BILLING}/collect/claim-due.ts`,
    near: ['jobs/enqueue-due-payments.test.ts', ...CLAIM],
    changes: [
      ['ORDER BY "nextAttemptAt" LIMIT', 'ORDER BY "nextAttemptAt" DESC LIMIT'],
      ['"nextAttemptAt" NULLS FIRST', '"nextAttemptAt" DESC'],
      [' AND "merchantId" = found."id"', ''],
      [' AND s."nextAttemptAt" IS NOT NULL', ''],
    ],
  },
  {
    rule: 'amount',
    file: `${BILLING}/settle/settle-transfer.ts`,
    near: PULLED,
    changes: [
      ['capped(payment.paidAmount + amount)', 'capped(amount)'],
      [
        'const number = book.subscription.paymentCount + 1;',
        'const number = book.subscription.paymentCount;',
      ],
    ],
  },
  {
    rule: 'amount',
    file: `${BILLING}/settle/settle-transfer.ts`,
    near: [...PULLED, 'domain/billing/settle', 'scenarios/lost-transactions.test.ts'],
    changes: [
      [
        'after > nextPaymentAt ? after : nextPaymentAt',
        'after > nextPaymentAt ? after : after ?? nextPaymentAt',
      ],
    ],
  },
  {
    rule: 'amount',
    file: `${BILLING}/collect/collect-claimed.ts`,
    near: PAYER,
    changes: [['amount: remaining.amount - decision.amount,', 'amount: remaining.amount,']],
  },
  {
    rule: 'amount',
    file: `${BILLING}/settle/reverse-payments.ts`,
    near: REVERSED,
    changes: [
      ['paymentCount: paymentCount - 1,', 'paymentCount,'],
      ['bool_and(c."signature" = p."signature" AND c."amount" = p."paidAmount")', 'true'],
    ],
  },
  {
    rule: 'amount',
    file: `${BILLING}/settle/provably-gone.ts`,
    near: REVERSED,
    changes: [['newestPulled > periodStart || ', '']],
  },
  {
    rule: 'refund',
    file: 'src/domain/billing/refund/refunded-amounts.ts',
    near: REFUND,
    changes: [
      [
        'const remaining = paidAmount - counted - excessAmount(refunds);',
        'const remaining = paidAmount - counted;',
      ],
      ["if (status !== 'SUCCEEDED' || !finalized) return 0n;", "if (status !== 'SUCCEEDED') return 0n;"],
    ],
  },
  {
    rule: 'refund',
    file: 'src/domain/billing/refund/create-refund.ts',
    near: REFUND,
    changes: [['amount < 1n || amount > remaining', 'amount < 1n || amount > payment.amount']],
  },
  {
    rule: 'refund',
    file: 'src/domain/billing/refund/may-be-sent.ts',
    near: REFUND,
    changes: [['+ amount <= payment.paidAmount;', '<= payment.paidAmount;']],
  },
  {
    rule: 'refund',
    file: 'src/domain/billing/refund/refund-source.ts',
    near: RECEIVING,
    changes: [
      ['account.amount >= amount', 'account.amount > amount'],
      ['b.amount - a.amount', 'a.amount - b.amount'],
      ['if (total < amount)', 'if (total <= amount)'],
    ],
  },
  {
    rule: 'receiver',
    file: 'src/chain/accounts/receiving-accounts.ts',
    near: ['chain/accounts', ...RECEIVING],
    changes: [
      ['found.owner !== owner', 'found.owner === mint'],
      ['found.mint !== mint', 'found.mint === owner'],
      ['account?.owner !== tokenProgram', 'account === undefined'],
      ['number === 1) return null', 'number !== 1) return null'],
    ],
  },
  {
    rule: 'receiver',
    file: `${BILLING}/collect/assign-receivers.ts`,
    near: [...COLLECT, ...RECEIVING],
    changes: [['turns.set(key, turn + 1)', 'turns.set(key, turn)']],
  },
  {
    rule: 'receipt',
    file: 'src/domain/billing/receipt/issue-receipts.ts',
    near: ['scenarios/receipts.test.ts'],
    changes: [
      [' ?? 0) + 1]', ' ?? 0)]'],
      ['      AND "receiptNumber" IS NULL\n', ''],
      ['open.get(paymentId) === signature', 'open.has(paymentId)'],
    ],
  },
];

/** One-line faults in rules of money. */
export const FAULTS: readonly Fault[] = GROUPS.flatMap(({ changes, ...group }) =>
  changes.map(([from, to]) => ({ ...group, from, to })),
);
