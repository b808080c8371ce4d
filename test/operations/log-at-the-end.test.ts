import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const LINES = 5_000;
const LOGS = `
  const { createLog } = await import('./src/log.ts');
  const log = createLog('info');
  for (let line = 0; line < ${LINES}; line++) log.info({ line }, 'so');
`;

it.each([
  ['goes', 'process.exit(0)'],
  ['has nothing more to do', ''],
  ['breaks', 'process.nextTick(() => { throw new Error("broken") })'],
])('a process that %s has said everything before', async (_, end) => {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', LOGS + end],
    { maxBuffer: 10_000_000 },
  ).catch((error: { stdout: string }) => error);
  const lines = stdout.trimEnd().split('\n');
  expect(lines.map((line) => JSON.parse(line).line)).toEqual(
    Array.from({ length: LINES }, (_, line) => line),
  );
});
