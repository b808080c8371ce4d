import type { LookupAddress } from 'node:dns';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { addressFinder } from '../../../src/domain/messages/webhook/post/address-finder.ts';
import { type DnsServer, startDnsServer } from './dns-server.ts';

const FOUND = { address: '192.31.196.1', family: 4 } satisfies LookupAddress;

let dns: DnsServer;
let lookUp: (hostname: string) => Promise<unknown>;

beforeEach(async () => {
  dns = await startDnsServer([FOUND.address], []);
  const find = addressFinder([dns.address]);
  lookUp = (hostname) =>
    new Promise((resolve) => {
      find(hostname, { all: true }, (error, found) => resolve(error?.code ?? found));
    });
});
afterEach(() => dns.close());

describe('looking up a name that a merchant chose', () => {
  it('finds a name while the DNS servers of many others are silent', async () => {
    const ended: string[] = [];
    const silent = Array.from({ length: 40 }, async (_, index) => {
      expect(await lookUp(`silent${index}.example`)).toBe('EAI_AGAIN');
      ended.push('silent');
    });
    expect(await lookUp('receiver.example')).toEqual([FOUND]);
    ended.push('found');
    await Promise.all(silent);
    expect(ended[0]).toBe('found');
  });

  it('sends one query for concurrent lookups of a name', async () => {
    const concurrent = await Promise.all(Array.from({ length: 10 }, () => lookUp('receiver.example')));
    expect(concurrent).toEqual(Array.from({ length: 10 }, () => [FOUND]));
    expect(dns.queryCount).toBe(1);
    expect(await lookUp('receiver.example')).toBe('ENOTFOUND');
    expect(dns.queryCount).toBe(2);
  });

  it.each(['localhost', 'api.localhost'])('never looks up %s', async (hostname) => {
    expect(await lookUp(hostname)).toEqual([{ address: '127.0.0.1', family: 4 }]);
    expect(dns.queryCount).toBe(0);
  });
});
