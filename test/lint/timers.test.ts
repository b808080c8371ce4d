import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const ROOT = new URL('../../', import.meta.url);
/**
 * The tests and their helpers that may wait for time. A test waits for a condition or drives the
 * clock instead. This list only gets shorter.
 */
const WAITING = [
  // They wait for the silence of a real socket.
  'test/property/graphql-arguments.test.ts',
  'test/webhooks/endpoint/manage-endpoints.test.ts',
  // They act again and again until a process or a stream has noticed it.
  'test/chain/rpc/stream.test.ts',
  'test/docs/terminal.ts',
  'test/faults/webhooks/killed-worker.test.ts',
  // A limit, after which the test fails or a process is killed.
  'test/faults/indexer/watch-nodes.test.ts',
  'test/faults/jobs/redis-nodes.test.ts',
  'test/postgres/pgbouncer.ts',
  'test/support/leaves-nothing-open.ts',
];
const TIMER = /\bsetTimeout\(|\bsetTimeout as\b|import \{ setTimeout\b/;

/** An assertion that fails on a slow machine. How fast dues is, a bench or a drill shows. */
const AT_MOST = /\bexpect\((?:performance|Date)\.now\(\) - \w+\)\.toBeLessThan/;

test('a test waits for no time', () => {
  expect(filesWith(TIMER)).toEqual(WAITING.toSorted());
});

test('no limit of time decides whether a test passes', () => {
  expect(filesWith(AT_MOST)).toEqual([]);
});

function filesWith(pattern: RegExp): string[] {
  return globSync('test/**/*.ts', { cwd: ROOT })
    .filter((file) => file !== 'test/lint/timers.test.ts')
    .filter((file) => pattern.test(readFileSync(new URL(file, ROOT), 'utf8')))
    .toSorted();
}
