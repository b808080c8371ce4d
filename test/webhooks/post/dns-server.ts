import { createSocket } from 'node:dgram';
import { Resolver } from 'node:dns';
import { once } from 'node:events';
import type { LookupFunction } from 'node:net';

const AAAA = 28;

export interface DnsServer {
  readonly address: string;
  /** Number of queries for IPv4 addresses. */
  readonly queryCount: number;
  /** Looks a name up at this server only. */
  readonly lookup: LookupFunction;
  close(): Promise<void>;
}

/**
 * Starts a DNS server whose answers change: each query gets the next set of IPv4 addresses, and the
 * last set is repeated. The server has no IPv6 addresses, and does not answer for names that start
 * with `silent`.
 */
export async function startDnsServer(...answers: readonly string[][]): Promise<DnsServer> {
  const server = createSocket('udp4');
  let queryCount = 0;
  server.on('message', (query, { port, address }) => {
    if (query.toString('latin1', 13, 19) === 'silent') return;
    if (query.readUInt16BE(query.indexOf(0, 12) + 1) === AAAA) {
      server.send(encodeResponse(query, []), port, address);
      return;
    }
    const answer = answers[Math.min(queryCount++, answers.length - 1)] ?? [];
    server.send(encodeResponse(query, answer), port, address);
  });
  server.bind(0, '127.0.0.1');
  await once(server, 'listening');
  const resolver = new Resolver();
  resolver.setServers([`127.0.0.1:${server.address().port}`]);
  return {
    address: `127.0.0.1:${server.address().port}`,
    get queryCount() {
      return queryCount;
    },
    lookup: (name, { all }, callback) =>
      resolver.resolve4(name, (error, addresses) => {
        if (error) return callback(error, '');
        if (all)
          return callback(
            null,
            addresses.map((address) => ({ address, family: 4 })),
          );
        callback(null, addresses[0] ?? '', 4);
      }),
    async close() {
      resolver.cancel();
      server.close();
      await once(server, 'close');
    },
  };
}

/** The header, the question, and A records that may not be cached (TTL 0): RFC 1035. */
function encodeResponse(query: Buffer, addresses: readonly string[]): Buffer {
  const header = Buffer.from(query.subarray(0, 12));
  header.writeUInt16BE(0x8180, 2);
  header.writeUInt16BE(addresses.length, 6);
  header.writeUInt32BE(0, 8);
  // Name, type and class. The remaining bytes of the query are omitted.
  const question = query.subarray(12, query.indexOf(0, 12) + 5);
  const records = addresses.map((address) =>
    Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, ...address.split('.').map(Number)]),
  );
  return Buffer.concat([header, question, ...records]);
}
