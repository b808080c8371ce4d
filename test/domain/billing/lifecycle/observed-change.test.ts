import { expect, test } from 'vitest';
import {
  type ObservedChange,
  observedChange,
} from '../../../../src/domain/billing/lifecycle/observed-change.ts';
import type { SubscriptionStatus } from '../../../../src/generated/prisma/client.ts';

const DAY = 86_400n;
const END = 1_800_000_000n;
const at = (seconds: bigint) => new Date(Number(seconds) * 1_000);

interface Case {
  readonly name: string;
  readonly status: SubscriptionStatus;
  readonly because?: string;
  readonly accessUntil?: Date;
  /** Default a minute before `END`, which is also the next due date. */
  readonly cancelledAt?: Date;
  readonly failureCount?: number;
  readonly expiresAt: bigint;
  readonly change: ObservedChange;
}

const NOTHING: ObservedChange = { kind: 'nothing' };
const ended = { status: 'CANCELLED', because: 'cancelled_on_chain', accessUntil: at(END) } as const;

test.each<Case>([
  { name: 'a pull', status: 'ACTIVE', expiresAt: 0n, change: NOTHING },
  { name: 'a pull of a subscription that is past due', status: 'PAST_DUE', expiresAt: 0n, change: NOTHING },
  {
    name: 'a cancellation',
    status: 'ACTIVE',
    expiresAt: END,
    change: { kind: 'end', endedAt: null },
  },
  {
    name: 'a cancellation at once',
    status: 'ACTIVE',
    expiresAt: END - 60n,
    change: { kind: 'end', endedAt: at(END - 60n) },
  },
  {
    name: 'a cancellation of a subscription that is past due',
    status: 'PAST_DUE',
    expiresAt: END,
    change: { kind: 'end', endedAt: null },
  },
  { name: 'a cancellation that is known', ...ended, expiresAt: END, change: NOTHING },
  {
    name: 'a cancelled subscription that is then cancelled at once',
    ...ended,
    expiresAt: END - 60n,
    change: { kind: 'move_end', accessUntil: at(END - 60n) },
  },
  { name: 'a cancellation at once after the paid time', ...ended, expiresAt: END + 60n, change: NOTHING },
  {
    name: 'an end of the chain’s period after the paid time',
    ...ended,
    expiresAt: END + DAY,
    change: NOTHING,
  },
  { name: 'an end of the chain’s period before it', ...ended, expiresAt: END - DAY, change: NOTHING },
  {
    name: 'an end before the paid time that was written by the release before',
    ...ended,
    accessUntil: at(END - DAY),
    expiresAt: END - DAY,
    change: { kind: 'move_end', accessUntil: at(END) },
  },
  {
    name: 'an end after a payment that had failed',
    ...ended,
    failureCount: 1,
    expiresAt: END + DAY,
    change: NOTHING,
  },
  {
    name: 'an end after a payment that was due',
    ...ended,
    cancelledAt: at(END),
    expiresAt: END + DAY,
    change: NOTHING,
  },
  {
    name: 'an end after a pause without access',
    ...ended,
    accessUntil: at(END - 60n),
    expiresAt: END,
    change: NOTHING,
  },
  { name: 'a resumption', ...ended, expiresAt: 0n, change: { kind: 'resume' } },
  {
    name: 'a subscription that only the merchant has cancelled',
    status: 'CANCELLED',
    because: 'cancelled_by_merchant',
    expiresAt: 0n,
    change: NOTHING,
  },
  {
    name: 'a subscription that the merchant and the customer have cancelled',
    status: 'CANCELLED',
    because: 'cancelled_by_merchant',
    accessUntil: at(END),
    expiresAt: END + 60n,
    change: NOTHING,
  },
  { name: 'an expired subscription', status: 'EXPIRED', expiresAt: 0n, change: NOTHING },
  { name: 'an expired subscription that is cancelled', status: 'EXPIRED', expiresAt: END, change: NOTHING },
])('$name', ({ status, because, accessUntil = null, failureCount = 0, cancelledAt, expiresAt, change }) => {
  const subscription = {
    status,
    accessUntil,
    failureCount,
    nextPaymentAt: at(END),
    cancelledAt: status === 'CANCELLED' ? (cancelledAt ?? at(END - 60n)) : null,
  };
  const account = { expiresAt, periodStart: END - 2n * DAY, periodHours: 24n };
  expect(observedChange(subscription, because, account)).toEqual(change);
});
