import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { FAULTS } from '../../tools/scripts/planted-faults/faults.ts';

const ROOT = new URL('../../', import.meta.url);

test('each planted fault matches its file once, and names tests that exist', () => {
  const counts = FAULTS.map(
    ({ file, from }) => readFileSync(new URL(file, ROOT), 'utf8').split(from).length - 1,
  );
  const wrong = FAULTS.filter(
    ({ near }, index) =>
      counts[index] !== 1 || !near.every((path) => existsSync(new URL(`test/${path}`, ROOT))),
  );
  expect(wrong).toEqual([]);
});
