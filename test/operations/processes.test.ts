import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, constants, openSync, writeSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, inject, it, onTestFinished, vi } from 'vitest';
import { WebSocket } from 'ws';
import { connectDb } from '../../src/db/db.ts';
import { SilentProxy } from '../../tools/silent-proxy.ts';
import { DuesProcess } from '../../tools/world/dues-process.ts';
import { startReceiver } from '../../tools/world/webhook-receiver.ts';
import { HOUR, startRoleWorld } from '../cli/role-world.ts';
import { callRpc } from '../support/json-rpc.ts';
import { cloneDatabase } from '../support/postgres.ts';
import { sharedByFile } from '../support/shared-by-file.ts';
import { SOON } from '../support/soon.ts';
import { startTraceReceiver } from './trace-receiver.ts';

type Role = 'api' | 'indexer' | 'worker';

const running = {} as Record<Role, DuesProcess>;
const allProcesses: DuesProcess[] = [];

async function start(role: Role): Promise<DuesProcess> {
  const started = new DuesProcess([role], {
    ...world.env,
    LOG_LEVEL: 'debug',
    METRICS_PORT: '0',
    OTEL_EXPORTER_OTLP_ENDPOINT: traces.url,
  });
  allProcesses.push(started);
  await started.printed(/"msg":"started"/);
  return started;
}

/** Requests a path from the operations port of a process. */
async function ask(process: DuesProcess, path: string): Promise<{ status: number; text: string }> {
  const [, port] = await process.printed(/"metricsPort":(\d+)/);
  const response = await fetch(`http://127.0.0.1:${port}${path}`);
  return { status: response.status, text: await response.text() };
}

/** The value of a metric. `name` includes the labels as printed. */
async function readMetric(process: DuesProcess, name: string): Promise<number | undefined> {
  const { text } = await ask(process, '/metrics');
  const line = text.split('\n').find((text) => text.startsWith(`${name} `));
  return line === undefined ? undefined : Number(line.slice(name.length));
}

async function setFault(fault: object): Promise<void> {
  await callRpc(world.env.TEST_RPC_URL ?? '', 'localnet_setFaults', [fault]);
}

/** A pipe that refuses every write: its reader is gone, or it is full. */
async function brokenOutput(fault: 'has no reader' | 'is not read'): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'dues-output-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, 'pipe');
  await promisify(execFile)('mkfifo', [path]);
  const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const writer = openSync(path, constants.O_WRONLY | constants.O_NONBLOCK);
  if (fault === 'has no reader') {
    closeSync(reader);
    return writer;
  }
  onTestFinished(() => closeSync(reader));
  try {
    for (;;) writeSync(writer, 'x');
  } catch (error) {
    expect(error).toMatchObject({ code: 'EAGAIN' });
    return writer;
  }
}

const countPaymentWebhooks = () =>
  receiver.received.filter(({ body }) => body.includes('payment_succeeded')).length;

const database = await sharedByFile(cloneDatabase(inject('templateDatabaseUrl')));
const db = connectDb(database.url);
const world = await sharedByFile(startRoleWorld({ databaseUrl: database.url, redisUrl: undefined }));
const traces = await sharedByFile(startTraceReceiver());
const receiver = await sharedByFile(startReceiver());
const apiKey = await world.createKey();
const [api, indexer, worker] = await Promise.all([start('api'), start('indexer'), start('worker')]);
Object.assign(running, { api, indexer, worker });
const merchant = await world.connectMerchant(api, apiKey);
const secret = await merchant.createEndpoint(receiver.url);
await merchant.publishPlan();
const subscription = await merchant.checkOut(await world.newCustomer());
await vi.waitFor(() => expect(countPaymentWebhooks()).toBe(1), SOON);
afterAll(async () => {
  await Promise.all(allProcesses.map((process) => process.ended('SIGKILL')));
  await db.$disconnect();
});

describe('health', () => {
  it.each(['api', 'indexer', 'worker'] as const)('of the %s is served on a separate port', async (role) => {
    expect(await ask(running[role], '/health/live')).toMatchObject({ status: 200 });
    await vi.waitFor(async () => {
      const { status, text } = await ask(running[role], '/health/ready');
      expect(JSON.parse(text)).toMatchObject({ status: 'ready', roles: [role] });
      expect(status).toBe(200);
    }, SOON);
    expect(await ask(running[role], '/')).toMatchObject({ status: 404 });
  });

  it('reports the worker’s collector to operators', async () => {
    const { text } = await ask(running.worker, '/health/ready');
    const [collector] = JSON.parse(text).checks['collector TEST'].detail;
    expect(collector).toMatchObject({ role: 'current', canPay: true });
  });

  it('of the API is also served to load balancers, without other paths', async () => {
    const [, port] = await running.api.printed(/"port":(\d+)/);
    const get = async (path: string) => {
      const response = await fetch(`http://127.0.0.1:${port}${path}`);
      return { status: response.status, body: (await response.json()) as object };
    };
    expect(await get('/health/live')).toEqual({ status: 200, body: { status: 'live' } });
    expect(await get('/health/ready')).toEqual({ status: 200, body: { status: 'ready' } });
    expect((await get('/metrics')).status).toBe(404);
  });
});

describe('metrics', () => {
  it('of the roles together have every name in the alerts and on the dashboard', async () => {
    const texts = await Promise.all(Object.values(running).map((role) => ask(role, '/metrics')));
    const served = new Set<string>();
    for (const { text } of texts) {
      for (const [, name = '', type] of text.matchAll(/^# TYPE (\w+) (\w+)$/gm)) {
        served.add(name);
        if (type === 'histogram') for (const end of ['bucket', 'count', 'sum']) served.add(`${name}_${end}`);
      }
    }
    for (const file of ['prometheus/alerts.yaml', 'grafana/dues.json']) {
      const text = await readFile(new URL(`../../deploy/${file}`, import.meta.url), 'utf8');
      const named = new Set(text.match(/\b(?:dues|process|nodejs)_\w+/g));
      expect(named.size).toBeGreaterThan(15);
      expect([...named].filter((name) => !served.has(name))).toEqual([]);
    }
  });

  it('that alerts watch begin at 0, so that the first event is an increase', async () => {
    for (const labels of ['environment="TEST",result="left"', 'environment="TEST",result="reversed"']) {
      expect(await readMetric(running.worker, `dues_payments_reversed_total{${labels}}`)).toBe(0);
    }
    for (const result of ['day', 'collector', 'unexpected_spending']) {
      const refused = `dues_sponsored_total{environment="TEST",result="${result}"}`;
      expect(await readMetric(running.api, refused)).toBe(0);
    }
    const failed = 'dues_job_seconds_count{job="payments.collect",result="failed"}';
    expect(await readMetric(running.worker, failed)).toBe(0);
  });

  it('of the API measure the time of requests by route', async () => {
    const name = 'dues_http_request_seconds_count{method="POST",route="/checkout/create",status="200"}';
    expect(await readMetric(running.api, name)).toBe(1);
    expect(await readMetric(running.api, 'dues_up{role="api"}')).toBe(1);
  });

  it('of the indexer report its position', async () => {
    const { slot } = await db.streamPosition.findUniqueOrThrow({ where: { environment: 'TEST' } });
    // All requests within a second share a reading.
    await vi.waitFor(async () => {
      const read = await readMetric(running.indexer, 'dues_stream_slot{environment="TEST"}');
      expect(read).toBeGreaterThanOrEqual(Number(slot));
    }, 5_000);
    await vi.waitFor(async () => {
      const behind = await readMetric(running.indexer, 'dues_stream_slots_behind{environment="TEST"}');
      expect(behind).toBeLessThan(300);
      expect(await readMetric(running.indexer, 'dues_unapplied_updates{environment="TEST"}')).toBe(0);
    }, SOON);
  });

  it.each(['api', 'worker', 'indexer'] as const)(
    'of the %s show how far its clock is ahead',
    async (role) => {
      await vi.waitFor(async () => {
        const ahead = await readMetric(running[role], 'dues_clock_ahead_seconds{environment="TEST"}');
        expect(Math.abs(ahead ?? Number.NaN)).toBeLessThan(3_600);
      }, SOON);
    },
  );

  it('of worker and indexer count the charges and fees that each settled', async () => {
    const sum = async (name: string) => {
      const values = await Promise.all([readMetric(running.worker, name), readMetric(running.indexer, name)]);
      return values.reduce<number>((total, value) => total + (value ?? 0), 0);
    };
    await vi.waitFor(async () => {
      expect(await sum('dues_charges_total{environment="TEST",result="collected"}')).toBe(1);
      const { _sum } = await db.transferTransaction.aggregate({ _sum: { feeLamports: true } });
      expect(await sum('dues_fee_lamports_total{environment="TEST"}')).toBe(Number(_sum.feeLamports));
    }, SOON);
  });

  it('of the worker report waiting work and sent webhooks', async () => {
    await vi.waitFor(async () => {
      expect(await readMetric(running.worker, 'dues_webhooks_waiting')).toBe(0);
      const name = 'dues_webhook_tries_total{environment="TEST",result="delivered"}';
      expect(await readMetric(running.worker, name)).toBe(receiver.received.length);
    }, SOON);
    await vi.waitFor(async () => {
      for (const name of ['dues_payments_due', 'dues_payments_overdue', 'dues_collection_lag_seconds']) {
        expect(await readMetric(running.worker, `${name}{environment="TEST"}`)).toBe(0);
      }
      expect(await readMetric(running.worker, 'dues_jobs{job="payments.collect",state="waiting"}')).toBe(0);
      const lamports = 'dues_collector_lamports{environment="TEST",role="current"}';
      expect(await readMetric(running.worker, lamports)).toBeGreaterThan(0);
    }, SOON);
  });
});

describe('traces', () => {
  const traceOfWebhook = async (type: string) => {
    const webhook = await vi.waitFor(() => {
      const found = traces.spans.find(
        ({ name, attributes }) =>
          name === 'webhook' && attributes.some(({ value }) => value.stringValue === type),
      );
      if (!found) throw new Error(`no webhook of ${type} is traced`);
      return found;
    }, SOON);
    return webhook.traceId;
  };

  it('connect the call of the API to its webhook', async () => {
    const another = await merchant.checkOut(await world.newCustomer());
    const [, port] = await running.api.printed(/"port":(\d+)/);
    const query = 'mutation ($id: ID!) { cancelSubscription(subscription: $id, when: NOW) { transaction } }';
    const response = await fetch(`http://127.0.0.1:${port}/graphql`, {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ query, variables: { id: another } }),
    });
    expect(await response.json()).not.toHaveProperty('errors');
    const traceId = await traceOfWebhook('subscription.cancelled');
    await vi.waitFor(() => {
      const [root, webhook] = ['POST /graphql', 'webhook'].map((name) =>
        traces.spansOf(traceId).find((span) => span.name === name),
      );
      expect(webhook?.parentSpanId).toBe(root?.spanId);
    }, SOON);
  });

  it('connect the collection to the webhook of the payment', async () => {
    const traceId = await traceOfWebhook('subscription.payment_succeeded');
    await vi.waitFor(() => {
      const names = traces.spansOf(traceId).map(({ name }) => name);
      expect(names).toEqual(expect.arrayContaining(['payments.collect', 'webhook']));
    }, SOON);
  });
});

describe('stopping', () => {
  const countUnfinished = async () => {
    const transactions = await db.transferTransaction.count({ where: { status: 'SUBMITTED' } });
    const deliveries = await db.delivery.count({ where: { status: 'PENDING' } });
    return transactions + deliveries + (await db.outbox.count());
  };
  const countClaimed = () => db.subscription.count({ where: { claimedUntil: { not: null } } });

  it('a worker that collects releases its claims, and another one takes them', async () => {
    // The cancelled subscription may or may not have been collected before.
    await vi.waitFor(async () => expect(await countUnfinished()).toBe(0), SOON);
    const before = countPaymentWebhooks();
    await setFault({ methods: { getMultipleAccounts: { fault: 'timeout', times: 1_000 } } });
    await world.travel(HOUR);
    await vi.waitFor(async () => expect(await countClaimed()).toBe(1), SOON);
    const ended = await running.worker.ended('SIGTERM');
    expect(ended).toMatchObject({ code: 0 });
    expect(ended.tookMs).toBeLessThan(10_000);
    expect(ended.stdout).toContain('claim released before it was finished');
    expect(await countClaimed()).toBe(0);
    await setFault({ methods: { getMultipleAccounts: { fault: 'timeout', times: 0 } } });
    running.worker = await start('worker');
    await vi.waitFor(() => expect(countPaymentWebhooks()).toBe(before + 1), SOON);
    await vi.waitFor(async () => expect(await merchant.paymentCount(subscription)).toBe(2), SOON);
  });

  it('a worker that delivers releases its claims, and another one takes them', async () => {
    const answer = receiver.answer;
    // The receiver does not answer while the first worker runs.
    receiver.answer = () => undefined;
    const before = countPaymentWebhooks();
    await world.travel(HOUR);
    await vi.waitFor(() => expect(countPaymentWebhooks()).toBe(before + 1), SOON);
    const ended = await running.worker.ended('SIGTERM');
    expect(ended).toMatchObject({ code: 0 });
    expect(ended.tookMs).toBeLessThan(10_000);
    const released = { status: 'PENDING', claimedUntil: null, failureCount: 0, attemptCount: 1 } as const;
    expect(await db.delivery.count({ where: { status: 'PENDING' } })).toBe(1);
    expect(await db.delivery.findFirst({ where: { status: 'PENDING' } })).toMatchObject(released);
    receiver.answer = answer;
    running.worker = await start('worker');
    await vi.waitFor(() => expect(countPaymentWebhooks()).toBe(before + 2), SOON);
    await vi.waitFor(async () => {
      expect(await db.delivery.count({ where: { status: 'PENDING' } })).toBe(0);
    }, SOON);
  });

  it.each(['has no reader', 'is not read'] as const)(
    'a worker whose log %s collects and ends',
    async (fault) => {
      await running.worker.ended('SIGTERM');
      await vi.waitFor(async () => expect(await countUnfinished()).toBe(0), SOON);
      const before = countPaymentWebhooks();
      const output = await brokenOutput(fault);
      const worker = new DuesProcess(['worker'], world.env, { stdout: output });
      allProcesses.push(worker);
      closeSync(output);
      await world.travel(HOUR);
      await vi.waitFor(() => expect(countPaymentWebhooks()).toBe(before + 1), SOON);
      const ended = await worker.ended('SIGTERM');
      expect(ended).toMatchObject({ code: 0, stderr: '' });
      running.worker = await start('worker');
    },
  );

  it('a process that is told to stop while its database is silent ends with code 0', async () => {
    const proxy = await SilentProxy.start(Number(new URL(database.url).port));
    const env = { ...world.env, DATABASE_URL: proxy.urlOf(database.url), PORT: '0' };
    const processes = (['api', 'indexer', 'worker'] as const).map((role) => new DuesProcess([role], env));
    allProcesses.push(...processes);
    await Promise.all(processes.map((process) => process.printed(/"msg":"started"/)));
    proxy.silence();
    const ended = await Promise.all(processes.map((process) => process.ended('SIGTERM')));
    // Code 1 would mean that something had not ended within nine seconds.
    expect(ended.map(({ code, stderr }) => ({ code, stderr }))).toEqual(
      processes.map(() => ({ code: 0, stderr: '' })),
    );
    await proxy.close();
  });

  it('an indexer releases its leadership to one that waits', async () => {
    const standby = await start('indexer');
    const leaving = running.indexer.ended('SIGTERM');
    await standby.printed(/"msg":"indexer leads"/);
    running.indexer = standby;
    expect(await leaving).toMatchObject({ code: 0 });
  });

  it('the API closes its sockets with a reason', async () => {
    const [, port] = await running.api.printed(/"port":(\d+)/);
    const socket = new WebSocket(`ws://127.0.0.1:${port}/graphql`, 'graphql-transport-ws');
    await once(socket, 'open');
    socket.send(JSON.stringify({ type: 'connection_init', payload: { authorization: `Bearer ${apiKey}` } }));
    await once(socket, 'message');
    const closed = once(socket, 'close');
    const ending = running.api.ended('SIGTERM');
    const [code, reason] = await closed;
    expect([code, String(reason)]).toEqual([1001, 'Going away']);
    expect(await ending).toMatchObject({ code: 0 });
  });

  it('no process logged a secret', async () => {
    for (const role of ['worker', 'indexer'] as const) await running[role].ended('SIGTERM');
    const printed = allProcesses.map(({ stdout, stderr }) => stdout + stderr).join('\n');
    const sessions = await db.checkoutSession.findMany({ select: { id: true } });
    const secrets = {
      'API key': apiKey,
      'webhook secret': secret,
      'secret key': world.env.SECRET_KEY,
      'collector key': world.env.TEST_COLLECTOR_KEY,
      'database password': `:${new URL(database.url).password}@`,
      session: sessions[0]?.id,
    };
    for (const [name, value] of Object.entries(secrets)) {
      expect(value?.length, name).toBeGreaterThan(4);
      expect(printed.includes(value ?? ''), `a ${name} was logged`).toBe(false);
    }
    // The lines of one trace have its id.
    expect(printed).toMatch(/"traceId":"[0-9a-f]{32}".*"msg":"request"/);
  });
});
