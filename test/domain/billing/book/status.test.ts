import { describe, expect, it } from 'vitest';
import {
  COLLECTING,
  isLegal,
  STATUS_CHANGES,
  type StatusChange,
} from '../../../../src/domain/billing/book/status.ts';

describe('a change of status', () => {
  it.each<[StatusChange['from'], StatusChange['to'], StatusChange['reason'], boolean]>([
    [null, 'ACTIVE', 'subscribed', true],
    [null, 'PAST_DUE', 'payment_failed', false],
    ['ACTIVE', 'PAST_DUE', 'payment_failed', true],
    ['PAST_DUE', 'PAST_DUE', 'payment_failed', false],
    ['PAST_DUE', 'ACTIVE', 'payment_recovered', true],
    ['ACTIVE', 'EXPIRED', 'too_many_failures', true],
    ['PAST_DUE', 'EXPIRED', 'too_many_failures', true],
    ['CANCELLED', 'EXPIRED', 'too_many_failures', false],
    ['PAST_DUE', 'CANCELLED', 'cancelled_by_merchant', true],
    ['CANCELLED', 'CANCELLED', 'cancelled_by_merchant', true],
    ['CANCELLED', 'CANCELLED', 'cancelled_on_chain', false],
    ['EXPIRED', 'CANCELLED', 'cancelled_on_chain', false],
    ['CANCELLED', 'ACTIVE', 'resumed_on_chain', true],
    ['EXPIRED', 'ACTIVE', 'resumed_on_chain', false],
    ['EXPIRED', 'ACTIVE', 'reactivated', true],
    ['ACTIVE', 'ACTIVE', 'reactivated', false],
  ])('from %s to %s because of %s is legal: %s', (from, to, reason, legal) => {
    expect(isLegal({ from, to, reason })).toBe(legal);
  });

  it('is listed only once', () => {
    const changes = STATUS_CHANGES.map(({ from, to, reason }) => `${from} ${to} ${reason}`);
    expect(new Set(changes).size).toBe(changes.length);
  });

  it('to a status without collection starts from one with it, or stays cancelled', () => {
    const ends = STATUS_CHANGES.filter(({ to }) => !COLLECTING.includes(to));
    for (const { from, to } of ends) expect(from === to || (from && COLLECTING.includes(from))).toBe(true);
  });
});
