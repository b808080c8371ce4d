/** The examples of the guide about access, as a merchant saves them, against a running dues. */
import { execFileSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Hono, type MiddlewareHandler } from 'hono';
import { afterAll, describe, expect, it, vi } from 'vitest';
import type { CustomerState, StateCache } from '../../client/dues-client.ts';
import { relayEvents } from '../../src/domain/messages/relay/relay-events.ts';
import { signatureHeaders } from '../../src/domain/messages/webhook/post/signature.ts';
import { startApiWorld } from '../api/world.ts';
import { blocksOf } from '../docs/blocks.ts';
import { sharedByFile } from '../support/shared-by-file.ts';
import { installClient } from './install-client.ts';

const SECRET = 'whsec_c2VjcmV0';
/** The app's own function that the guide leaves out. */
const SESSION = `export const userIdOf = ({ headers }) =>
  headers instanceof Headers ? headers.get('x-user') : headers['x-user'];`;

const { project, remove } = installClient();
const world = await sharedByFile(startApiWorld());
const merchant = await world.newKeyedMerchant();
const blocks = blocksOf(
  await readFile(fileURLToPath(new URL('../../docs/guides/access.md', import.meta.url)), 'utf8'),
);
await writeFile(join(project, 'package.json'), '{"type": "module"}');
await writeFile(join(project, 'session.ts'), SESSION);
for (const { title, code } of blocks) await writeFile(join(project, title), code);

const variables = { DUES_URL: world.api.url, DUES_API_KEY: merchant.testKey, DUES_WEBHOOK_SECRET: SECRET };
const before = { ...process.env };
Object.assign(process.env, variables);
const load = <T>(file: string) => import(/* @vite-ignore */ join(project, file)) as Promise<T>;
const { states } = await load<{ states: StateCache }>('states.ts');
afterAll(() => {
  for (const name of Object.keys(variables)) {
    if (before[name] === undefined) delete process.env[name];
    else process.env[name] = before[name];
  }
  remove();
});

let count = 0;
/** Subscribes a customer to a plan with the feature `export`. */
async function subscribe(customerId: string) {
  const plan = await world.publishPlan(merchant, { planId: `plan-${++count}` });
  await world.request('POST', '/graphql', {
    key: merchant.testKey,
    body: {
      query: `mutation { updatePlan(planId: "${plan.planId}", input: { features: [{ key: "export" }] }) { planId } }`,
    },
  });
  await world.subscribe(merchant, plan, await world.newWallet(), { customerId });
}
await subscribe('ada');

type Ask = (user: string) => Promise<number>;

/** The middlewares of the guide, each behind the request of a user. */
const MIDDLEWARES: Record<string, (feature?: string) => Promise<Ask>> = {
  async Express(feature) {
    type Handle = (request: IncomingMessage, response: ServerResponse, next: () => void) => Promise<void>;
    const { requireAccess } = await load<{ requireAccess(feature?: string): Handle }>('express-access.ts');
    return async (user) => {
      const server = createServer((request, response) =>
        requireAccess(feature)(request, response, () => response.end('in')),
      );
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const { port } = server.address() as { port: number };
      const { status } = await fetch(`http://127.0.0.1:${port}`, { headers: { 'x-user': user } });
      await new Promise((resolve) => server.close(resolve));
      return status;
    };
  },
  async Hono(feature) {
    const { requireAccess } = await load<{ requireAccess(feature?: string): MiddlewareHandler }>(
      'hono-access.ts',
    );
    const app = new Hono().use(requireAccess(feature)).get('/', (c) => c.text('in'));
    return async (user) => (await app.request('/', { headers: { 'x-user': user } })).status;
  },
  async Next(feature) {
    type Handle = (request: Request) => Promise<Response>;
    const { withAccess } = await load<{ withAccess(handler: () => Response, feature?: string): Handle }>(
      'next-access.ts',
    );
    const handle = withAccess(() => new Response('in'), feature);
    return async (user) =>
      (await handle(new Request('http://localhost', { headers: { 'x-user': user } }))).status;
  },
};

describe('the guide about access', () => {
  it.each(Object.entries(MIDDLEWARES))('lets only customers with access through: %s', async (_, build) => {
    const [access, feature, other] = [await build(), await build('export'), await build('other')];
    expect(await Promise.all([access('ada'), feature('ada'), other('ada')])).toEqual([200, 200, 402]);
    expect(await Promise.all([access('bob'), feature('bob')])).toEqual([402, 402]);
  });

  it('sees a subscription after the checkout, before its webhook', async () => {
    const { welcome } = await load<{ welcome(user: string): Promise<string> }>('welcome.ts');
    expect(await welcome('eve')).toContain('not confirmed');
    await subscribe('eve');
    expect(await states.get('eve')).toMatchObject({ hasAccess: false });
    expect(await welcome('eve')).toBe('Welcome!');
  });

  it('takes a change from a webhook', async () => {
    const { receive } = await load<{ receive(body: Buffer, headers: Headers): void }>('receive.ts');
    const known = await states.get('ada');
    const data: CustomerState = { ...known, version: known.version + 1, hasAccess: false };
    const body = JSON.stringify({ id: 'x', event: 'customer.state_changed', timestamp: 0, data });
    const timestampSeconds = Math.floor(Date.now() / 1000);
    const signed = (secret: string) =>
      new Headers(signatureHeaders({ id: 'x', timestampSeconds, body, secrets: [secret] }));
    expect(() => receive(Buffer.from(body), signed('whsec_b3RoZXI='))).toThrow('signature');
    expect(await states.get('ada')).toMatchObject({ hasAccess: true });
    receive(Buffer.from(body), signed(SECRET));
    expect(await states.get('ada')).toMatchObject({ hasAccess: false });
    await states.refresh('ada');
  });

  it('takes a change from the stream of events', async () => {
    const { follow } = await load<{ follow(signal: AbortSignal): Promise<void> }>('follow.ts');
    expect(await states.get('kim')).toMatchObject({ hasAccess: false });
    const ending = new AbortController();
    const subscribed = world.untilSubscribed('event.recorded');
    const following = follow(ending.signal);
    await subscribed;
    await subscribe('kim');
    await relayEvents(world.ctx);
    await vi.waitFor(async () => expect(await states.get('kim')).toMatchObject({ hasAccess: true }), 20_000);
    ending.abort();
    await following;
  });

  const CHECKERS = [
    { file: 'access.py', command: 'python3', args: ['-m', 'py_compile'] },
    { file: 'RequireAccess.php', command: 'php', args: ['-l'] },
  ];
  const canRun = (command: string) => {
    try {
      execFileSync(command, ['--version'], { stdio: 'ignore' });
      return true;
    } catch {
      return false;
    }
  };
  const checkable = CHECKERS.filter(({ command }) => canRun(command));
  for (const { file } of CHECKERS.filter((checker) => !checkable.includes(checker))) {
    console.log(`LEFT OUT: the syntax of ${file}: not installed on this machine`);
  }

  it.each(checkable)('has no fault of syntax in $file', ({ file, command, args }) => {
    execFileSync(command, [...args, file], { cwd: project });
  });
});
