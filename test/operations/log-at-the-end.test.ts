import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const LINES = 5_000;
const LOGS = `
  const { createLog } = await import('./src/observability/log.ts');
  const log = createLog('info');
  for (let line = 0; line < ${LINES}; line++) log.info({ line }, 'so');
`;

const run = (program: string) =>
  promisify(execFile)(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', program],
    { maxBuffer: 40_000_000 },
  );

it('lines that are not read are bounded, and the dropped ones are counted', async () => {
  // Nothing is written while this loop runs.
  const { stdout } = await run(
    `${LOGS} for (let line = 0; line < 20_000; line++) log.info('x'.repeat(1_000));`,
  );
  const lines = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  const dropped = lines.pop();
  expect(dropped).toMatchObject({ level: 40, lines: LINES + 20_000 - lines.length });
  expect(dropped.lines).toBeGreaterThan(0);
  expect(stdout.length).toBeLessThan(9_000_000);
});

it.each([
  ['exits', 'process.exit(0)'],
  ['has no more work', ''],
  ['throws an error', 'process.nextTick(() => { throw new Error("broken") })'],
])('a process that %s has written all lines before', async (_, end) => {
  const { stdout } = await run(LOGS + end).catch((error: { stdout: string }) => error);
  const lines = stdout.trimEnd().split('\n');
  expect(lines.map((line) => JSON.parse(line).line)).toEqual(
    Array.from({ length: LINES }, (_, line) => line),
  );
});
