import fc from 'fast-check';
import { expect, it } from 'vitest';
import { FEED_SIZE, newestEvents } from '../../web/dashboard/pages/overview/newest-events.ts';

/** Events in the order of the stream, some of them in the same millisecond. */
const streams = fc.uniqueArray(
  fc.record({
    id: fc.uuid({ version: 7 }),
    createdAt: fc
      .date({ min: new Date(0), max: new Date(30), noInvalidDate: true })
      .map((at) => at.toISOString()),
  }),
  { selector: ({ id }) => id, minLength: 1, maxLength: 40 },
);

it('the feed shows the same as a fresh load, for any start and with repeated events', () => {
  fc.assert(
    fc.property(
      streams,
      fc.nat(),
      fc.infiniteStream(fc.nat({ max: 3 })),
      (stream, position, repeatCounts) => {
        const byTime = (one: (typeof stream)[number], other: (typeof stream)[number]) =>
          other.createdAt.localeCompare(one.createdAt) || other.id.localeCompare(one.id);
        const loaded = (events: typeof stream) => events.toSorted(byTime).slice(0, FEED_SIZE);
        const start = position % stream.length;
        // The cursor is read before the query, so the stream repeats some events of the query.
        const stored = loaded(stream.slice(0, start));
        let arrived: readonly (typeof stream)[number][] = [];
        for (const [index, event] of stream.entries()) {
          const repeats = repeatCounts.next().value;
          if (index + repeats >= start) arrived = newestEvents([event, ...arrived]);
        }
        expect(newestEvents([...arrived, ...stored])).toEqual(loaded(stream));
      },
    ),
  );
});
