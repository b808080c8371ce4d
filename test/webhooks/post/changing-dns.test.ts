import type { LookupAddress } from 'node:dns';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { publicOnly, RefusedAddressError } from '../../../src/domain/messages/webhook/post/address-guard.ts';
import { Connections } from '../../../src/domain/messages/webhook/post/connections.ts';
import { postWebhook } from '../../../src/domain/messages/webhook/post/post-webhook.ts';
import { type Receiver, startReceiver } from '../../../tools/world/webhook-receiver.ts';
import { type DnsServer, startDnsServer } from './dns-server.ts';

/** A public address of the AS112 project, which discards all traffic. */
const PUBLIC = '192.31.196.1';
const PRIVATE = '127.0.0.1';

let receiver: Receiver;
let dns: DnsServer | undefined;
let connections: Connections | undefined;

beforeEach(async () => {
  receiver = await startReceiver();
});
afterEach(async () => {
  connections?.close();
  await dns?.close();
  await receiver.close();
});

async function postTo(...answers: string[][]) {
  dns = await startDnsServer(...answers);
  connections = new Connections(dns.lookup);
  const { port } = new URL(receiver.url);
  return postWebhook(connections, {
    url: `http://receiver.example:${port}/hook`,
    environment: 'TEST',
    headers: {},
    body: '{}',
    hostsAllowed: [],
    timeoutMs: 300,
  });
}

describe('a receiver whose DNS answer changes', () => {
  it('is looked up once per attempt, and the attempt connects to the checked address', async () => {
    const { statusCode, error } = await postTo([PUBLIC], [PRIVATE]);
    expect([statusCode, error]).toEqual([null, expect.any(String)]);
    expect(dns?.queryCount).toBe(1);
    expect(receiver.received).toEqual([]);
  });

  it('is refused on the attempt that finds it at a private address', async () => {
    dns = await startDnsServer([PUBLIC], [PRIVATE]);
    const lookup = publicOnly(dns.lookup);
    const lookUp = () =>
      new Promise<unknown>((resolve) => {
        lookup('receiver.example', { all: true }, (error, found) => resolve(error ?? found));
      });
    expect(await lookUp()).toEqual([{ address: PUBLIC, family: 4 } satisfies LookupAddress]);
    expect(await lookUp()).toBeInstanceOf(RefusedAddressError);
  });

  it('gets no request if its only address is private', async () => {
    expect(await postTo([PRIVATE])).toMatchObject({
      statusCode: null,
      error: 'receiver.example is not a public address',
    });
    expect(receiver.received).toEqual([]);
  });

  it('with several addresses gets no request at the private ones', async () => {
    const { statusCode, error } = await postTo([PRIVATE, PUBLIC, '10.0.0.1']);
    expect([statusCode, error]).toEqual([null, expect.any(String)]);
    expect(receiver.received).toEqual([]);
  });
});
