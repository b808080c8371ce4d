import { expect, it } from 'vitest';
import { StreamCounts } from '../../src/api/graphql/live/stream-counts.ts';

it('a caller has at most 10,000 live streams at a time', () => {
  const counts = new StreamCounts();
  const ends = Array.from({ length: 10_000 }, () => counts.add('acme/TEST'));
  expect(() => counts.add('acme/TEST')).toThrow(expect.objectContaining({ code: 'rate_limit_exceeded' }));
  expect(() => counts.add('acme/LIVE')).not.toThrow();
  ends[0]?.();
  ends[0]?.();
  counts.add('acme/TEST');
  expect(() => counts.add('acme/TEST')).toThrow('At most 10000 live streams');
});
