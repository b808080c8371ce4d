import { expect, it } from 'vitest';
import { changedFields, newFields } from '../../../src/domain/kernel/audit-log/changed-fields.ts';

const NOON = new Date('2026-12-01T12:00:00Z');

it('a new value is JSON: money as text, dates as ISO 8601', () => {
  const fields = { name: 'Pro', amount: 2n ** 63n, endsAt: NOON, description: null, mint: undefined };
  expect(newFields(fields)).toEqual({
    name: { to: 'Pro' },
    amount: { to: '9223372036854775808' },
    endsAt: { to: '2026-12-01T12:00:00.000Z' },
    description: { to: null },
    mint: { to: null },
  });
});

it.each([
  ['nothing', { a: 1, b: [1, 2] }, { a: 1, b: [1, 2] }, {}],
  ['one of two', { a: 1, b: 'x' }, { a: 2, b: 'x' }, { a: { from: 1, to: 2 } }],
  ['an element', { b: [1, 2] }, { b: [1, 3] }, { b: { from: [1, 2], to: [1, 3] } }],
  ['something to nothing', { a: 'x' }, { a: null }, { a: { from: 'x', to: null } }],
  ['the same time', { a: NOON }, { a: new Date(NOON) }, {}],
  [
    'a field that is missing after the change is ignored',
    { a: 1, b: 2 },
    { a: 3 },
    { a: { from: 1, to: 3 } },
  ],
])('only values that changed are recorded: %s', (_, before, after, changes) => {
  expect(changedFields(before as never, after as never)).toEqual(changes);
});
