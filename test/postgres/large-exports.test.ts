import { get, type IncomingMessage } from 'node:http';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { recordStatements } from '../../tools/statements.ts';
import { startApiWorld } from '../api/world.ts';
import { seedMany } from '../management/many-rows.ts';
import { sharedByFile } from '../support/shared-by-file.ts';

const MANY = 100_000;

const world = await sharedByFile(startApiWorld());
const merchant = await world.newKeyedMerchant();
await seedMany(world.db, merchant.scope, MANY);

function openExport(path: string): Promise<IncomingMessage> {
  const headers = { authorization: `Bearer ${merchant.testKey}` };
  return new Promise((resolve, reject) => {
    get(`${world.api.url}/api/exports/${path}`, { headers }, resolve).on('error', reject);
  });
}

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;
function measureHeap(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

it('exports all of 100,000 rows in order within bounded memory', async () => {
  const answer = await openExport('payments.csv');
  expect(answer.headers['content-type']).toBe('text/csv; charset=utf-8');
  expect(answer.headers['content-disposition']).toBe('attachment; filename="payments.csv"');
  let [text, lines, last, column] = ['', -1, '', 0];
  const heapSizes: number[] = [];
  for await (const chunk of answer.setEncoding('utf8')) {
    text += chunk;
    const completeLines = text.split('\r\n');
    text = completeLines.pop() ?? '';
    for (const line of completeLines) {
      const cells = line.split(',');
      if (lines++ < 0) column = cells.indexOf('createdAt');
      if (lines === 0) continue;
      const createdAt = cells[column] ?? '';
      if (createdAt < last) throw new Error(`${createdAt} after ${last}`);
      last = createdAt;
    }
    if (lines >= ((heapSizes.length + 1) * MANY) / 10) heapSizes.push(measureHeap());
  }
  expect({ lines, text }).toEqual({ lines: MANY, text: '' });
  // As text, the rows between the first and the last measurement are larger than this limit, and as
  // objects they are larger still.
  expect(Math.max(...heapSizes) - (heapSizes[0] ?? 0)).toBeLessThan(16 * 2 ** 20);
});

it('pauses for a slow reader, and leaves no query open after the reader disconnects', async () => {
  const answer = await openExport('subscriptions.csv');
  let rowsLeft = 0;
  const statements = await recordStatements(async () => {
    await new Promise((resolve) => answer.once('readable', resolve));
    answer.read();
    // The export pauses when the buffers of both ends are full.
    await waitUntilQuiet();
    answer.destroy();
    rowsLeft = await world.db.subscription.count({ where: merchant.scope });
    await waitUntilQuiet();
  });
  expect(rowsLeft).toBe(MANY);
  expect(statements.filter(({ text }) => text.includes('"Subscription"')).length).toBeLessThan(MANY / 1_000);
  const [row] = await world.db.$queryRaw<{ open: number }[]>`
    SELECT count(*)::int AS "open" FROM pg_stat_activity
    WHERE datname = current_database() AND backend_type = 'client backend' AND state <> 'idle'
      AND pid <> pg_backend_pid()`;
  expect(row?.open).toBe(0);
  expect(world.logged.filter((line) => line.includes('export aborted'))).toEqual([]);
});

/** Waits until no statement has run during many turns of the event loop. */
async function waitUntilQuiet(): Promise<void> {
  for (let quiet = 0; quiet < 5; ) {
    const statements = await recordStatements(async () => {
      for (let turn = 0; turn < 500; turn++) await new Promise(setImmediate);
    });
    quiet = statements.length === 0 ? quiet + 1 : 0;
  }
}
