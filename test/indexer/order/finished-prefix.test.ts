import { expect, test } from 'vitest';
import { FinishedPrefix } from '../../../indexer/order/finished-prefix.ts';

type Step =
  | ['begin', slot: bigint, name: string]
  | ['finish', name: string]
  | ['complete', slot: bigint]
  | ['is', slot: bigint | undefined];

function runSteps(start: bigint | undefined, steps: readonly Step[]): void {
  const prefix = new FinishedPrefix(start);
  const finishers = new Map<string, () => void>();
  for (const [index, step] of steps.entries()) {
    if (step[0] === 'begin') finishers.set(step[2], prefix.begin(step[1]));
    else if (step[0] === 'finish') finishers.get(step[1])?.();
    else if (step[0] === 'complete') prefix.complete({ slot: step[1] });
    else expect(prefix.slot, `step ${index}`).toBe(step[1]);
  }
}

test.each<{ name: string; start?: bigint; steps: Step[] }>([
  { name: 'there is no slot before the first block', steps: [['is', undefined]] },
  { name: 'it begins with the stored slot', start: 7n, steps: [['is', 7n]] },
  {
    name: 'a block without work is finished when it is complete',
    steps: [
      ['complete', 10n],
      ['is', 10n],
    ],
  },
  {
    name: 'finished work alone does not advance it: its block may have more work',
    start: 9n,
    steps: [
      ['begin', 10n, 'a'],
      ['finish', 'a'],
      ['is', 9n],
      ['complete', 10n],
      ['is', 10n],
    ],
  },
  {
    name: 'unfinished work holds back its own block and all later ones',
    start: 9n,
    steps: [
      ['complete', 10n],
      ['begin', 11n, 'a'],
      ['complete', 11n],
      ['begin', 12n, 'b'],
      ['complete', 12n],
      ['finish', 'b'],
      ['is', 10n],
      ['finish', 'a'],
      ['is', 12n],
    ],
  },
  {
    name: 'all work of a slot has to finish',
    steps: [
      ['begin', 10n, 'a'],
      ['begin', 10n, 'b'],
      ['complete', 10n],
      ['finish', 'b'],
      ['is', undefined],
      ['finish', 'a'],
      ['is', 10n],
    ],
  },
  {
    name: 'it is the slot of a block, never a skipped slot',
    start: 10n,
    steps: [
      ['complete', 15n],
      ['begin', 21n, 'a'],
      ['complete', 21n],
      ['is', 15n],
    ],
  },
  {
    name: 'work of a gap that begins late holds back blocks that are complete',
    start: 10n,
    steps: [
      ['begin', 11n, 'gap'],
      ['complete', 20n],
      ['complete', 21n],
      ['is', 10n],
      ['finish', 'gap'],
      ['is', 21n],
    ],
  },
  {
    name: 'repeated blocks change nothing',
    start: 10n,
    steps: [
      ['complete', 9n],
      ['complete', 10n],
      ['complete', 11n],
      ['complete', 11n],
      ['complete', 10n],
      ['is', 11n],
    ],
  },
  {
    name: 'work of a block that was finished before does not move it back',
    start: 10n,
    steps: [
      ['begin', 8n, 'late'],
      ['is', 10n],
      ['complete', 11n],
      ['is', 10n],
      ['finish', 'late'],
      ['is', 11n],
    ],
  },
])('$name', ({ start, steps }) => runSteps(start, steps));

test('its time is that of the newest finished block with a time', () => {
  const prefix = new FinishedPrefix(9n);
  const finish = prefix.begin(11n);
  prefix.complete({ slot: 10n, time: 100n });
  prefix.complete({ slot: 11n, time: 101n });
  prefix.complete({ slot: 12n });
  expect(prefix.time).toBe(100n);
  finish();
  expect(prefix).toMatchObject({ slot: 12n, time: 101n });
});
