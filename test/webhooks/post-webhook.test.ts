import { createServer } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { postWebhook } from '../../src/domain/webhook/post-webhook.ts';
import { type Receiver, startReceiver, status } from './receiver.ts';

let receiver: Receiver;

beforeEach(async () => {
  receiver = await startReceiver();
});
afterEach(() => receiver.close());

const post = (changes: { url?: string; hostsAllowed?: string[]; timeoutMs?: number } = {}) =>
  postWebhook({
    url: receiver.url,
    headers: { 'content-type': 'application/json', 'x-test': 'yes' },
    body: '{"name":"Zoë"}',
    hostsAllowed: ['127.0.0.1'],
    timeoutMs: 5000,
    ...changes,
  });

describe('a webhook that is posted', () => {
  it('arrives byte for byte, with its headers, and succeeds by 2xx', async () => {
    expect(await post()).toEqual({ statusCode: 200, error: null, responseBody: '{"received":true}' });
    receiver.answer = status(204);
    expect(await post()).toMatchObject({ statusCode: 204, error: null });
    expect(receiver.received[0]).toMatchObject({
      body: '{"name":"Zoë"}',
      headers: { 'x-test': 'yes', 'content-length': '15' },
    });
  });

  it.each([400, 401, 404, 410, 500, 503])('fails by status %i', async (statusCode) => {
    receiver.answer = status(statusCode);
    expect(await post()).toEqual({ statusCode, error: `answered ${statusCode}`, responseBody: 'no' });
  });

  it.each([301, 302, 307, 308])('does not follow a redirect with status %i', async (statusCode) => {
    receiver.answer = (response) => response.writeHead(statusCode, { location: receiver.url }).end();
    expect(await post()).toMatchObject({
      statusCode,
      error: `answered ${statusCode}: redirects are not followed`,
    });
    expect(receiver.received).toHaveLength(1);
  });

  it('does not wait for ever for an answer', async () => {
    receiver.answer = () => undefined;
    expect(await post({ timeoutMs: 200 })).toEqual({
      statusCode: null,
      error: 'no answer within 0.2 s',
      responseBody: null,
    });
  });

  it('keeps the first 4 kB of an endless answer and reads no further', async () => {
    receiver.answer = (response) => {
      const pour = () => {
        while (!response.destroyed && response.write('x'.repeat(1000)));
      };
      response.on('drain', pour);
      pour();
    };
    expect(await post()).toEqual({ statusCode: 200, error: null, responseBody: 'x'.repeat(4096) });
  });

  it('takes the status for an answer whose body never ends', async () => {
    receiver.answer = (response) => response.write('so far');
    expect(await post({ timeoutMs: 200 })).toEqual({
      statusCode: 200,
      error: null,
      responseBody: 'so far',
    });
  });

  it('keeps answers that are no text in a form that a database takes', async () => {
    receiver.answer = (response) => response.end(Buffer.of(0, 0xff, 0x41));
    expect((await post()).responseBody).toBe('\u{fffd}\u{fffd}A');
  });

  it('fails where nobody listens, or the connection breaks, without words about our network', async () => {
    receiver.answer = (response) => response.destroy();
    expect(await post()).toMatchObject({ statusCode: null, error: 'no connection: ECONNRESET' });
    const free = createServer().listen(0, '127.0.0.1');
    const { port } = await new Promise<{ port: number }>((resolve) =>
      free.on('listening', () => resolve(free.address() as { port: number })),
    );
    await new Promise((resolve) => free.close(resolve));
    expect(await post({ url: `http://127.0.0.1:${port}/` })).toMatchObject({
      statusCode: null,
      error: 'no connection: ECONNREFUSED',
    });
  });

  it.each(['127.0.0.1', 'localhost', 'localhost.', '[::ffff:127.0.0.1]', '2130706433'])(
    'goes nowhere near the private host %s unless that is allowed',
    async (host) => {
      const url = new URL(receiver.url);
      url.hostname = host;
      const { statusCode, error } = await post({ url: url.href, hostsAllowed: [] });
      expect(statusCode).toBeNull();
      // Not every resolver knows `localhost.`.
      expect(error).toMatch(host === 'localhost.' ? /address|ENOTFOUND/ : /not a public address/);
      expect(receiver.received).toEqual([]);
    },
  );
});
