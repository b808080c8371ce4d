import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AccessTerms, accessOf } from '../../../../src/domain/billing/customer-state/access.ts';
import {
  type CustomerSubscription,
  MAX_SUBSCRIPTIONS,
  stateAt,
} from '../../../../src/domain/billing/customer-state/state-document.ts';
import { type Features, joinFeatures } from '../../../../src/domain/catalog/plan/features.ts';

const NOW = new Date('2026-12-01T12:00:00Z');
const EARLIER = new Date('2026-12-01T11:00:00Z');
const LATER = new Date('2026-12-01T13:00:00Z');
const UNPAID = { status: 'PAST_DUE' } as const;
const CLOSED = { pauseKeepsAccess: false };
const terms = (changes: Partial<AccessTerms>): AccessTerms => ({
  status: 'ACTIVE',
  accessUntil: null,
  cancelAtPeriodEnd: false,
  nextPaymentAt: LATER,
  pausedFrom: null,
  pausedUntil: null,
  pauseKeepsAccess: true,
  ...changes,
});

describe('a subscription', () => {
  it('that is paused without access has it again when the pause ends, by time alone', () => {
    const paused = terms({ pausedFrom: EARLIER, pausedUntil: LATER, ...CLOSED });
    expect(accessOf(paused, NOW)).toEqual({
      hasAccess: false,
      reason: 'PAUSED',
      until: null,
      changesAt: LATER,
    });
    expect(accessOf(paused, LATER)).toMatchObject({ hasAccess: true, reason: 'ACTIVE' });
  });

  it.each<[string, Partial<AccessTerms>, boolean, string, Date | null]>([
    ['that is active', {}, true, 'ACTIVE', null],
    ['whose payment is late because dues was down', { nextPaymentAt: EARLIER }, true, 'ACTIVE', null],
    ['that ends with its period', { cancelAtPeriodEnd: true }, true, 'ACTIVE', LATER],
    ['whose last period is over', { cancelAtPeriodEnd: true, nextPaymentAt: NOW }, false, 'CANCELLED', null],
    ['whose payment is retried', { status: 'PAST_DUE', nextPaymentAt: EARLIER }, true, 'PAST_DUE', null],
    ['that is paused with access', { pausedFrom: EARLIER, pausedUntil: LATER }, true, 'ACTIVE', null],
    ['that will be paused', { pausedFrom: LATER, ...CLOSED }, true, 'ACTIVE', LATER],
    ['that was paused', { pausedFrom: EARLIER, pausedUntil: NOW, ...CLOSED }, true, 'ACTIVE', null],
    ['that is paused until it is resumed', { pausedFrom: NOW, ...CLOSED }, false, 'PAUSED', null],
    ['that is cancelled and paid', { status: 'CANCELLED', accessUntil: LATER }, true, 'CANCELLED', LATER],
    ['that is cancelled and over', { status: 'CANCELLED', accessUntil: NOW }, false, 'CANCELLED', null],
    ['that expired without grace', { status: 'EXPIRED' }, false, 'EXPIRED', null],
    ['that expired with grace', { status: 'EXPIRED', accessUntil: LATER }, true, 'GRACE', LATER],
    ['that waits for a top-up in its grace', { ...UNPAID, accessUntil: LATER }, true, 'GRACE', LATER],
    ['that waits for a top-up', { ...UNPAID, accessUntil: NOW }, false, 'UNPAID', null],
    ['that was paid by an older release', { accessUntil: EARLIER }, true, 'ACTIVE', null],
    ['whose grace is over', { status: 'EXPIRED', accessUntil: EARLIER }, false, 'EXPIRED', null],
  ])('%s: access, reason and end', (_, changes, hasAccess, reason, until) => {
    expect(accessOf(terms(changes), NOW)).toEqual({ hasAccess, reason, until, changesAt: until });
  });
});

const anyFeatures = fc.dictionary(
  fc.constantFrom('seats', 'export', 'api'),
  fc.oneof(fc.constant(true as const), fc.nat(9)),
) as fc.Arbitrary<Features>;

const at = (hours: number) => new Date(NOW.getTime() + hours * 3_600_000);
const anySubscription: fc.Arbitrary<CustomerSubscription> = fc.record({
  subscriptionId: fc.uuid(),
  planId: fc.constantFrom('basic', 'team'),
  features: fc.option(anyFeatures),
  startedAt: fc.integer({ min: -900, max: 0 }).map(at),
  status: fc.constantFrom('ACTIVE', 'PAST_DUE', 'CANCELLED', 'EXPIRED'),
  accessUntil: fc.option(fc.integer({ min: -9, max: 9 }).map(at)),
  cancelAtPeriodEnd: fc.boolean(),
  nextPaymentAt: fc.integer({ min: -9, max: 9 }).map(at),
  pausedFrom: fc.option(fc.integer({ min: -9, max: 0 }).map(at)),
  pausedUntil: fc.option(fc.integer({ min: 1, max: 9 }).map(at)),
  pauseKeepsAccess: fc.boolean(),
});

describe('what several plans allow together', () => {
  it('is the highest limit, and no limit is the highest', () => {
    expect(joinFeatures([{ seats: 2, export: true }, { seats: 9 }, { seats: 3 }])).toEqual({
      seats: 9,
      export: true,
    });
    expect(joinFeatures([{ seats: 9 }, { seats: true }, { seats: 0 }])).toEqual({ seats: true });
    expect(joinFeatures([])).toEqual({});
  });

  it('does not depend on the order, and joining twice changes nothing', () => {
    fc.assert(
      fc.property(fc.array(anyFeatures), (all) => {
        const joined = joinFeatures(all);
        expect(joinFeatures([...all].reverse())).toEqual(joined);
        expect(joinFeatures([...all, joined])).toEqual(joined);
      }),
    );
  });
});

describe('the state of a customer', () => {
  it('does not depend on the order of the subscriptions', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(anySubscription, { selector: ({ subscriptionId }) => subscriptionId }),
        (all) => {
          expect(stateAt([...all].reverse(), NOW)).toEqual(stateAt(all, NOW));
        },
      ),
    );
  });

  it('stays the same until the time at which it says that it changes', () => {
    fc.assert(
      fc.property(fc.array(anySubscription), fc.nat(20 * 60), (all, minutes) => {
        const state = stateAt(all, NOW);
        const later = new Date(NOW.getTime() + minutes * 60_000);
        if (state.changesAt === null || later < state.changesAt) {
          expect(stateAt(all, later)).toEqual(state);
        } else {
          const changed = stateAt(all, state.changesAt);
          expect(changed.document).not.toEqual(state.document);
          expect(changed.changesAt === null || changed.changesAt > state.changesAt).toBe(true);
        }
      }),
    );
  });

  it('shows at most 100 subscriptions, those with access first', () => {
    const over = { planId: 'basic', features: null, ...terms({ status: 'EXPIRED' }) };
    const all = Array.from({ length: MAX_SUBSCRIPTIONS + 50 }, (_, index) => ({
      ...over,
      subscriptionId: String(index),
      startedAt: at(-index),
    }));
    const oldest = { ...over, status: 'ACTIVE' as const, subscriptionId: 'paid', startedAt: at(-999) };
    const { hasAccess, subscriptions } = stateAt([...all, oldest], NOW).document;
    expect(hasAccess).toBe(true);
    expect(subscriptions).toHaveLength(MAX_SUBSCRIPTIONS);
    expect(subscriptions[0]).toMatchObject({ subscriptionId: 'paid', hasAccess: true });
    expect(subscriptions[1]).toMatchObject({ subscriptionId: '0', hasAccess: false });
  });
});
