import type { LookupAddress } from 'node:dns';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { publicOnly, RefusedAddressError } from '../../../src/domain/webhook/post/address-guard.ts';
import { Connections } from '../../../src/domain/webhook/post/connections.ts';
import { postWebhook } from '../../../src/domain/webhook/post/post-webhook.ts';
import { type Receiver, startReceiver } from '../receiver.ts';
import { type DnsServer, startDnsServer } from './dns-server.ts';

/** Public, and of the AS112 project: whatever is sent there is thrown away. */
const ELSEWHERE = '192.31.196.1';
const HERE = '127.0.0.1';

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

describe('a receiver whose name changes its mind', () => {
  it('is asked for once a try, and connected to where it was checked: the next answer is nobody’s', async () => {
    const { statusCode, error } = await postTo([ELSEWHERE], [HERE]);
    expect([statusCode, error]).toEqual([null, expect.any(String)]);
    expect(dns?.asked).toBe(1);
    expect(receiver.received).toEqual([]);
  });

  it('is refused on the try that finds it at a private address, however public it was before', async () => {
    dns = await startDnsServer([ELSEWHERE], [HERE]);
    const lookup = publicOnly(dns.lookup);
    const look = () =>
      new Promise<unknown>((resolve) => {
        lookup('receiver.example', { all: true }, (error, found) => resolve(error ?? found));
      });
    expect(await look()).toEqual([{ address: ELSEWHERE, family: 4 } satisfies LookupAddress]);
    expect(await look()).toBeInstanceOf(RefusedAddressError);
  });

  it('gets nothing where its only address is private', async () => {
    expect(await postTo([HERE])).toMatchObject({
      statusCode: null,
      error: 'receiver.example is not a public address',
    });
    expect(receiver.received).toEqual([]);
  });

  it('of several addresses is never connected to the private ones', async () => {
    const { statusCode, error } = await postTo([HERE, ELSEWHERE, '10.0.0.1']);
    expect([statusCode, error]).toEqual([null, expect.any(String)]);
    expect(receiver.received).toEqual([]);
  });
});
