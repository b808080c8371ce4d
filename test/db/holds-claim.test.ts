import { expect, it } from 'vitest';
import { holdsClaim } from '../../src/db/claim.ts';

const time = new Date('2026-01-01T00:00:00.000Z');
const after = (ms: number) => new Date(time.getTime() + ms);

it.each([
  ['its own, before its end', after(1), after(1), true],
  ['its own, at its end', after(0), after(0), false],
  ['its own, after its end', after(-1), after(-1), false],
  ['that of another worker, which ends later', after(2), after(1), false],
  ['that of another worker, which ends earlier', after(1), after(2), false],
  ['none any more', null, after(1), false],
  ['none, and had none', null, null, false],
  ['one, and had none', after(1), undefined, false],
] as const)('a worker that finds %s', (_, claimedUntil, claim, holds) => {
  expect(holdsClaim({ claimedUntil }, claim, time)).toBe(holds);
});
