import { describe, expect, test } from 'vitest';
import {
  expectationOf,
  expectationWhenCancelled,
  PART_NAMES,
  type Part,
  type PartName,
} from '../../chaos/parts.ts';

const seeded = { rounds: 4, every: 1, created: false };
const part = (name: PartName, round: number, backIn = round): Part => ({ name, in: round, backIn });

describe('the expected outcome of a customer', () => {
  test.each<[PartName, number[], string, string[], string[]]>([
    ['pays', [0, 1, 2, 3], 'active', ['PPPP'], ['PPP', 'PPPPP', 'PFPPP']],
    [
      'no money, topped up after the first attempt',
      [0, 1, 2, 3],
      'active',
      ['PPFPP', 'PPFFPP'],
      ['PPPP', 'PPFFFPP', 'PPFP'],
    ],
    ['no money, never topped up', [0, 1], 'expired', ['PPFFFX'], ['PPFFX', 'PPFFF', 'PPFFFXP']],
    ['cancels', [0, 1], 'cancelled', ['PPC'], ['PP', 'PPCP', 'PPCC']],
    ['cancels and resumes', [0, 1, 2, 3], 'active', ['PPPCRP', 'PPPP'], ['PPPCP', 'PPCRPP']],
    ['cancelled by the merchant', [0, 1], 'cancelled', ['PPC'], ['PPPC']],
    ['closes the authority', [0, 1], 'cancelled', ['PPC', 'PPFC'], ['PPFFFX']],
    ['cancels during collection', [0, 1], 'cancelled', ['PPC', 'PPPC', 'PPCP'], ['PPCPP', 'PP']],
    ['skips a payment', [0, 1, 3], 'active', ['PPZWUP'], ['PPPP', 'PPZWP', 'PPZWUPP', 'PPZPUP']],
    ['gets a period for free', [0, 1, 3], 'active', ['PPWP'], ['PPWPP', 'PPPP', 'PPZWUP']],
    [
      'pauses, and resumes with a payment',
      [0, 1, 2, 3],
      'active',
      ['PPZWUPP', 'PPZUPP'],
      ['PPZWUP', 'PPZWPP'],
    ],
    ['cannot pay, and the payment is waived', [0, 1, 3], 'active', ['PPFWP', 'PPFFWP'], ['PPFPP', 'PPFFFX']],
    ['the payment is waived during collection', [0, 1, 3], 'active', ['PPPP', 'PPWP'], ['PPWPP', 'PPP']],
  ])('%s', (name, paid, state, matching, other) => {
    const expected = expectationOf(part(name, name === 'pays' ? 0 : 2), seeded);
    expect(expected).toMatchObject({ paid, state });
    expect(matching.filter((story) => !expected.story.test(story))).toEqual([]);
    expect(other.filter((story) => expected.story.test(story))).toEqual([]);
  });

  test.each<[PartName, object]>([
    ['pays', { reduced: [], mayReduce: [], maxReduced: 0, periods: [0, 1, 2, 3] }],
    ['gets a discount', { reduced: [2, 3], mayReduce: [], maxReduced: 2, periods: [0, 1, 2, 3] }],
    ['gets a discount during collection', { reduced: [], mayReduce: [2, 3], maxReduced: 1 }],
    ['loses its discount during collection', { reduced: [], mayReduce: [2], maxReduced: 1 }],
    ['cancels', { periods: undefined }],
  ])('%s: the payments with the reduced price', (name, expected) => {
    expect(expectationOf(part(name, 2), seeded)).toMatchObject(expected);
  });

  test('a customer who is reactivated has a created event, and pays from then on', () => {
    const expected = expectationOf(part('expires and comes back', 1, 2), seeded);
    expect(expected).toMatchObject({ paid: [0, 2, 3], state: 'active' });
    expect(expected.story.test('PFFFXNPP')).toBe(true);
  });

  test.each<[PartName, number, number, string, string]>([
    ['no money, never topped up', 3, 3, 'PP', 'active'],
    ['expires and comes back', 1, 3, 'PFFFX', 'expired'],
  ])('%s: rounds that were not played have no expectation', (name, round, backIn, story, state) => {
    const expected = expectationOf(part(name, round, backIn), { rounds: 2, every: 1, created: false });
    expect(expected.state).toBe(state);
    expect(expected.story.test(story)).toBe(true);
  });

  test('a cancellation or a waiver during collection may precede the payment', () => {
    const may = PART_NAMES.filter((name) => expectationOf(part(name, 2), seeded).mayPay.length > 0);
    expect(may).toEqual(['cancels during collection', 'the payment is waived during collection']);
  });

  test('a plan of two rounds is due in every second one, and a checkout has an event', () => {
    const expected = expectationOf(part('pays', 0), { rounds: 5, every: 2, created: true });
    expect(expected.paid).toEqual([0, 2, 4]);
    expect(expected.story.test('NPPP')).toBe(true);
  });

  test.each<[string, boolean, number[], string, string[], string[]]>([
    ['kept', true, [1], 'cancelled', ['PC', 'PPC', 'PCP'], ['P', 'PP', 'PPCP']],
    ['lost', false, [1, 2], 'active', ['P', 'PP', 'PPP'], ['PC', '']],
  ])('a cancellation that is %s', (_, isKept, mayPay, state, matching, other) => {
    const expected = expectationWhenCancelled(1, { rounds: 3, isKept });
    expect(expected).toMatchObject({ paid: [0], mayPay, state });
    expect(matching.filter((story) => !expected.story.test(story))).toEqual([]);
    expect(other.filter((story) => expected.story.test(story))).toEqual([]);
  });
});
