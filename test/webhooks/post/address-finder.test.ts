import type { LookupAddress } from 'node:dns';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { addressFinder } from '../../../src/domain/webhook/post/address-finder.ts';
import { type DnsServer, startDnsServer } from './dns-server.ts';

const FOUND = { address: '192.31.196.1', family: 4 } satisfies LookupAddress;

let dns: DnsServer;
let look: (hostname: string) => Promise<unknown>;

beforeEach(async () => {
  dns = await startDnsServer([FOUND.address], []);
  const find = addressFinder([dns.address]);
  look = (hostname) =>
    new Promise((resolve) => {
      find(hostname, { all: true }, (error, found) => resolve(error?.code ?? found));
    });
});
afterEach(() => dns.close());

describe('looking up a name chosen by a stranger', () => {
  it('finds others while the servers of many are silent, and reports those as unknown for now', async () => {
    const ended: string[] = [];
    const silent = Array.from({ length: 40 }, async (_, index) => {
      expect(await look(`silent${index}.example`)).toBe('EAI_AGAIN');
      ended.push('silent');
    });
    expect(await look('receiver.example')).toEqual([FOUND]);
    ended.push('found');
    await Promise.all(silent);
    expect(ended[0]).toBe('found');
  }, 20_000);

  it('queries once for concurrent lookups of a name, and again for later ones', async () => {
    const together = await Promise.all(Array.from({ length: 10 }, () => look('receiver.example')));
    expect(together).toEqual(Array.from({ length: 10 }, () => [FOUND]));
    expect(dns.asked).toBe(1);
    expect(await look('receiver.example')).toBe('ENOTFOUND');
    expect(dns.asked).toBe(2);
  });

  it.each(['localhost', 'api.localhost'])('never looks up %s', async (hostname) => {
    expect(await look(hostname)).toEqual([{ address: '127.0.0.1', family: 4 }]);
    expect(dns.asked).toBe(0);
  });
});
