import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { DuesProcess } from './dues-process.ts';

let folder: string;
const processes: DuesProcess[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dues-start-'));
  // PostgreSQL runs as somebody else where we are root, and has to get in.
  await chmod(folder, 0o755);
});
afterAll(async () => {
  for (const each of processes) await each.ended('SIGTERM');
  await rm(folder, { recursive: true });
});

async function start() {
  const ports = ['--port', '0', '--rpc-port', '0', '--ws-port', '0', '--yellowstone-port', '0'];
  const started = new DuesProcess(['start', '--data', join(folder, 'data'), ...ports]);
  processes.push(started);
  const [, url = ''] = await started.printed(/GraphQL\s+(\S+)/);
  const [, key = ''] = await started.printed(/Test key\s+(\S+)/);
  await started.printed(/Ctrl-C/);
  const ask = async <T>(query: string): Promise<T> => {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
      body: JSON.stringify({ query }),
    });
    const { data, errors } = (await response.json()) as { data: T; errors?: unknown };
    expect(errors).toBeUndefined();
    return data;
  };
  return { started, key, ask };
}

it('dues start runs with nothing configured, and goes on with the same data and key', async () => {
  const first = await start();
  const { plan } = await first.ask<{ plan: { planId: string; status: string } }>(
    '{ plan(planId: "pro-monthly") { planId status } }',
  );
  expect(plan).toEqual({ planId: 'pro-monthly', status: 'ACTIVE' });
  const { createCheckoutSession } = await first.ask<{ createCheckoutSession: { id: string } }>(
    `mutation { createCheckoutSession(input: { planId: "pro-monthly", customerEmail: "a@example.com" }) { id } }`,
  );
  const stopped = await first.started.ended('SIGTERM');
  expect(stopped.stderr).toBe('');
  expect(stopped.code).toBe(0);
  expect(stopped.tookMs).toBeLessThan(10_000);

  const second = await start();
  expect(second.key).toBe(first.key);
  const { checkoutSession } = await second.ask<{ checkoutSession: { status: string } }>(
    `{ checkoutSession(id: "${createCheckoutSession.id}") { status } }`,
  );
  expect(checkoutSession.status).toBe('OPEN');
  expect((await second.started.ended('SIGINT')).code).toBe(0);
}, 90_000);
