import { describe, expect, it } from 'vitest';
import type { ClaimedDelivery } from '../../../src/domain/messages/webhook/delivery/claim-deliveries.ts';
import { DeliveriesInFlight } from '../../../src/domain/messages/webhook/delivery/deliveries-in-flight.ts';

const claim = (id: string, fields: Partial<ClaimedDelivery> = {}) =>
  ({ id, endpointId: 'endpoint', merchantId: 'merchant', attemptCount: 1, ...fields }) as ClaimedDelivery;

describe('the deliveries in flight of a worker', () => {
  it('fail an attempt once if it does not end', () => {
    const inFlight = new DeliveriesInFlight();
    inFlight.add(claim('old'), 0);
    inFlight.add(claim('young'), 500);
    expect(inFlight.failLate(1000, 1000)).toEqual([]);
    expect(inFlight.failLate(1001, 1000)).toMatchObject([
      { claimed: { id: 'old' }, durationMs: 1001, result: { isTimedOut: true, error: expect.any(String) } },
    ]);
    expect(inFlight.failLate(1001, 1000)).toEqual([]);
    expect(inFlight.count).toBe(2);
    inFlight.free(claim('old'));
    expect(inFlight.ids).toEqual(['young']);
  });

  it('accept the end of an attempt once, and never for another claim', () => {
    const inFlight = new DeliveriesInFlight();
    const first = claim('one');
    inFlight.add(first, 0);
    expect(inFlight.failLate(2, 1)).toHaveLength(1);
    expect(inFlight.markEnded(first)).toBe(false);
    inFlight.free(first);
    const second = claim('one', { attemptCount: 2 });
    inFlight.add(second, 3);
    expect(inFlight.markEnded(first)).toBe(false);
    expect(inFlight.markEnded(second)).toBe(true);
    expect(inFlight.markEnded(second)).toBe(false);
    expect(inFlight.failLate(100, 1)).toEqual([]);
  });

  it('are counted by endpoint and by merchant', () => {
    const inFlight = new DeliveriesInFlight();
    inFlight.add(claim('one', { endpointId: 'a' }), 0);
    inFlight.add(claim('two', { endpointId: 'a' }), 0);
    inFlight.add(claim('three', { endpointId: 'b' }), 0);
    expect(inFlight.countBy('endpointId')).toEqual(
      new Map([
        ['a', 2],
        ['b', 1],
      ]),
    );
    expect(inFlight.countBy('merchantId')).toEqual(new Map([['merchant', 3]]));
  });
});
