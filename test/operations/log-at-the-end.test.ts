import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';

const LINES = 5_000;
const LOGS = `
  const { createLog } = await import('./src/observability/log.ts');
  const log = createLog('info');
  for (let line = 0; line < ${LINES}; line++) log.info({ line }, 'so');
`;

const argumentsFor = (program: string) => [
  '--disable-warning=ExperimentalWarning',
  '--input-type=module',
  '-e',
  program,
];

/** Starts a program whose standard input stays open. */
function start(program: string) {
  const child = spawn(process.execPath, argumentsFor(program));
  onTestFinished(() => void child.kill('SIGKILL'));
  return { child, ended: once(child, 'exit') };
}

it('lines that are not read are bounded, and the dropped ones are counted', async () => {
  // Nothing is read while the loop runs, and the loop offers 20 MB. The process ends with its input.
  const { child } = start(
    `${LOGS} for (let line = 0; line < 20_000; line++) log.info('x'.repeat(1_000));
    process.stderr.write('logged'); process.stdin.resume();`,
  );
  await once(child.stderr, 'data');
  let stdout = '';
  for await (const text of child.stdout.setEncoding('utf8')) {
    stdout += text;
    if (stdout.endsWith('\n') && stdout.lastIndexOf('"lines":') > 0) child.stdin.end();
  }
  const lines = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  const dropped = lines.pop();
  expect(dropped).toMatchObject({ level: 40, lines: LINES + 20_000 - lines.length });
  expect(dropped.lines).toBeGreaterThan(0);
  // What the process keeps, and what the system's buffers hold.
  expect(stdout.length).toBeGreaterThan(8 * 1024 * 1024 - 2_000);
  expect(stdout.length).toBeLessThan(10_000_000);
});

it.each([
  ['exits', 'process.exit(0)'],
  ['has no more work', ''],
  ['throws an error', 'process.nextTick(() => { throw new Error("broken") })'],
])('a process that %s has written all lines before', async (_, end) => {
  const { stdout } = await promisify(execFile)(process.execPath, argumentsFor(LOGS + end), {
    maxBuffer: 40_000_000,
  }).catch((error: { stdout: string }) => error);
  const lines = stdout.trimEnd().split('\n');
  expect(lines.map((line) => JSON.parse(line).line)).toEqual(
    Array.from({ length: LINES }, (_, line) => line),
  );
});

/** Logs a line, waits for its input to end, logs `lines` of a kilobyte, and exits. */
const logsTwice = (lines: number) => `
  const { createLog } = await import('./src/observability/log.ts');
  const log = createLog('info');
  log.info('ready');
  process.stdin.resume().on('end', () => {
    for (let line = 0; line < ${lines}; line++) log.info('x'.repeat(1_000));
    setImmediate(() => process.exit(0));
  });
`;

it('a process whose log has no reader any more ends', async () => {
  const { child, ended } = start(logsTwice(1));
  await once(child.stdout, 'data');
  child.stdout.destroy();
  child.stdin.end();
  expect(await ended).toEqual([0, null]);
});

it('a process whose log is not read ends', async () => {
  const { child, ended } = start(logsTwice(2_000));
  await once(child.stdout, 'data');
  child.stdout.pause();
  child.stdin.end();
  expect(await ended).toEqual([0, null]);
});
