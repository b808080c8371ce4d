import { sharedByFile } from '../support/shared-by-file.ts';
/** Checks docs/webhooks.md against the code: its examples run unchanged. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { stripTypeScriptTypes } from 'node:module';
import { expect, it, vi } from 'vitest';
import { startApi } from '../../src/api/server/server.ts';
import { createApiKey } from '../../src/domain/accounts/api-key/create-api-key.ts';
import { eventTypes } from '../../src/domain/messages/event/types.ts';
import { signatureHeaders } from '../../src/domain/messages/webhook/post/signature.ts';
import { sampleEvents } from '../../src/domain/messages/webhook/sample-events.ts';
import { freePort } from '../../src/postgres/free-port.ts';
import { generateWebhookSecret } from '../../src/secrets.ts';
import { SOON } from '../support/soon.ts';
import { addEndpoint, createSubscribedMerchant, startWorld } from './world.ts';

const text = await readFile(new URL('../../docs/webhooks.md', import.meta.url), 'utf8');
const blocks = (language: string) =>
  [...text.matchAll(new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\`\`\``, 'g'))].map(([, code = '']) => code);
const secret = generateWebhookSecret();

const world = await sharedByFile(startWorld());
const merchant = await createSubscribedMerchant(world.ctx);
const { apiKey } = await createApiKey(world.ctx, merchant.scope, { name: 'reader' });
const endpointId = (await addEndpoint(world.ctx, merchant, 'https://shop.example/webhook')).endpoint.id;
const api = await sharedByFile(startApi(world.ctx));

it.each(blocks('graphql').map((query) => [/\w+(?=\()/.exec(query.replace(/^.*\$.*$/m, ''))?.[0], query]))(
  'the example of %s is answered',
  async (_, query = '') => {
    const response = await fetch(`${api.url}/graphql`, {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ query, variables: query.includes('$id') ? { id: endpointId } : {} }),
    });
    const { data, errors } = (await response.json()) as { data: object; errors?: unknown };
    expect(errors).toBeUndefined();
    expect(Object.values(data)).not.toContain(null);
  },
);

it('the table has every event, with all fields of its data', () => {
  const rows = [...text.matchAll(/^\| `(\w+\.\w+)` +\| [^|]+ \| (.+) \|$/gm)];
  expect(rows.map(([, type]) => type)).toEqual([...eventTypes]);
  for (const [, type = '', fields = ''] of rows) {
    const sample = Object.entries(sampleEvents).find(([name]) => name === type)?.[1];
    if (!sample) continue;
    // Braces contain the fields of the object before them.
    const documented = [...fields.replace(/\{[^}]*\}/g, '').matchAll(/`(\w+)`/g)].map(([, name]) => name);
    expect(documented.toSorted()).toEqual(Object.keys(sample).toSorted());
    if (!('customer' in sample)) continue;
    const [, customer = ''] = /`customer` \{([^}]*)\}/.exec(fields) ?? [];
    const documentedCustomer = [...customer.matchAll(/`(\w+)`/g)].map(([, name]) => name);
    expect(documentedCustomer.toSorted()).toEqual(Object.keys(sample.customer).toSorted());
  }
});

const signedWebhook = (seconds: number) => {
  const data = { subscriptionId: 'of somebody' };
  const body = JSON.stringify({ id: 'one', event: 'subscription.expired', timestamp: 0, sequence: 7, data });
  return {
    body,
    headers: signatureHeaders({ id: 'one', timestampSeconds: seconds, body, secrets: [secret] }),
  };
};
const now = () => Math.floor(Date.now() / 1000);

it('the example receiver with Standard Webhooks accepts only dues’ webhooks', async () => {
  const port = String(await freePort());
  const [code = ''] = blocks('ts verify');
  const receiver = spawn(process.execPath, ['--input-type=module-typescript', '--eval', code], {
    env: { DUES_WEBHOOK_SECRET: secret, PORT: port, NODE_NO_WARNINGS: '1' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let printed = '';
  receiver.stdout.on('data', (chunk) => {
    printed += chunk;
  });
  const { body, headers } = signedWebhook(now());
  const post = (bytes: string) =>
    fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers, body: bytes });
  const accepted = await vi.waitFor(() => post(body), SOON);
  expect([accepted.status, await accepted.text()]).toEqual([200, '{"received":true}']);
  expect((await post(body.replace('one', 'two'))).status).toBe(401);
  await vi.waitFor(() => expect(printed).toBe('one subscription.expired 7 of somebody\n'), SOON);
  const exited = once(receiver, 'exit');
  receiver.kill();
  await exited;
});

it('the example check without a library accepts new webhooks of dues, and no others', async () => {
  const code = stripTypeScriptTypes(blocks('ts by-hand')[0] ?? '');
  const { isFromDues } = (await import(
    /* @vite-ignore */ `data:text/javascript,${encodeURIComponent(code)}`
  )) as { isFromDues(body: string, header: string, secret: string): boolean };
  const check = (seconds: number, change = (body: string) => body, key = secret) => {
    const { body, headers } = signedWebhook(seconds);
    return isFromDues(change(body), headers['x-webhook-signature'] ?? '', key);
  };
  expect(check(now())).toBe(true);
  expect(check(now(), (body) => `${body} `)).toBe(false);
  expect(check(now(), undefined, generateWebhookSecret())).toBe(false);
  expect(check(now() - 301)).toBe(false);
  expect(isFromDues('', '', secret)).toBe(false);
  expect(isFromDues('', 't=x,v1=zz', secret)).toBe(false);
});
