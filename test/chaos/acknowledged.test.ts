import { describe, expect, test } from 'vitest';
import { type Acknowledged, printedWindows, sortLost } from '../../chaos/acknowledged.ts';

const cancellation: Acknowledged = {
  kind: 'cancellation',
  id: 'c',
  merchant: 0,
  atMs: 1_500,
  mustReturn: false,
};
const window = { fromMs: 1_000, untilMs: 2_000 };
const told = { ...window, merchant: 0 };

describe('an acknowledged row that is lost', () => {
  test('is listed if its merchant and the operator know that its time may be lost', () => {
    expect(sortLost([cancellation], [told], [window])).toEqual({ unlisted: [], listed: [cancellation] });
  });

  test('is listed in a time whose beginning is not known', () => {
    const open = { ...window, fromMs: null };
    expect(sortLost([cancellation], [{ ...told, fromMs: null }], [open]).listed).toEqual([cancellation]);
  });

  test.each<[string, Partial<Acknowledged>, Parameters<typeof sortLost>[1], Parameters<typeof sortLost>[2]]>([
    ['from before that time', { atMs: 999 }, [told], [window]],
    ['from after that time', { atMs: 2_001 }, [told], [window]],
    ['of another merchant than was told', { merchant: 1 }, [told], [window]],
    ['that the merchant was not told', {}, [], [window]],
    ['that dues reconcile did not print', {}, [told], []],
    ['that must return', { mustReturn: true }, [told], [window]],
  ])('is not listed: %s', (_, changed, windows, printed) => {
    const lost = { ...cancellation, ...changed };
    expect(sortLost([lost], windows, printed)).toEqual({ unlisted: [lost], listed: [] });
  });
});

test('the times in the output of dues reconcile are read', () => {
  const line = (from: string, until: string) =>
    `test: cancellations without a transaction, refunds, checkouts, keys and settings from ${from} to ${until} may be lost`;
  const [from, until] = ['2026-01-31T12:00:00.000Z', '2026-01-31T13:00:00.000Z'];
  const stdout = ['merchant', line(from, until), line('an unknown time', 'now'), 'from here to there'].join(
    '\n',
  );
  expect(printedWindows(stdout, 5)).toEqual([
    { fromMs: Date.parse(from), untilMs: Date.parse(until) },
    { fromMs: null, untilMs: 5 },
  ]);
});
