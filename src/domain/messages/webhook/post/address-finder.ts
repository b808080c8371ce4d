import { type LookupAddress, Resolver } from 'node:dns';
import type { LookupFunction } from 'node:net';

/** Timeout of one query to one server. The second query waits twice as long. */
const TIMEOUT_MS = 2000;
const TRIES = 2;
/** Timeout of the whole lookup: shorter than that of an attempt, so that the cause is reported. */
const TOTAL_TIMEOUT_MS = 7000;
/** The addresses of `localhost`, which is never looked up at a server (RFC 6761). */
const LOOPBACK: LookupAddress[] = [{ address: '127.0.0.1', family: 4 }];

type Answer = { readonly error: NodeJS.ErrnoException | null; readonly found: LookupAddress[] };

/**
 * A `lookup` for sockets that queries DNS servers without the thread pool of `dns.lookup`, so that
 * a slow server for one name does not delay other lookups. Concurrent lookups of one name share a
 * query. Names in the machine's hosts file are not found.
 *
 * Fails with ENOTFOUND if there is no such name or address, otherwise with EAI_AGAIN.
 *
 * @param servers the DNS servers; the machine's by default
 */
export function addressFinder(servers?: readonly string[]): LookupFunction {
  const lookups = new Map<string, Promise<Answer>>();
  const lookUp = (hostname: string) => {
    const running = lookups.get(hostname);
    if (running) return running;
    const answer = find(hostname, servers).finally(() => lookups.delete(hostname));
    lookups.set(hostname, answer);
    return answer;
  };
  return (hostname, { all }, callback) => {
    void lookUp(hostname).then(({ error, found }) => {
      const [first] = found;
      if (!first) return callback(error, '');
      if (all) return callback(null, found);
      callback(null, first.address, first.family);
    });
  };
}

/** Never rejects. */
async function find(hostname: string, servers: readonly string[] | undefined): Promise<Answer> {
  if (hostname === 'localhost' || hostname.endsWith('.localhost')) return { error: null, found: LOOPBACK };
  // A new resolver each time: it reads the machine's current servers, and can be cancelled alone.
  const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: TRIES });
  if (servers) resolver.setServers(servers);
  const late = setTimeout(() => resolver.cancel(), TOTAL_TIMEOUT_MS);
  const [ipv4, ipv6] = await Promise.all([
    addresses(4, (done) => resolver.resolve4(hostname, done)),
    addresses(6, (done) => resolver.resolve6(hostname, done)),
  ]);
  clearTimeout(late);
  const found = [...ipv4.found, ...ipv6.found];
  const isKnownMissing = [ipv4, ipv6].every(({ code }) => code === 'ENOTFOUND' || code === 'ENODATA');
  const code = isKnownMissing ? 'ENOTFOUND' : 'EAI_AGAIN';
  const error = found.length > 0 ? null : Object.assign(new Error(`lookup ${code} ${hostname}`), { code });
  return { error, found };
}

function addresses(
  family: 4 | 6,
  resolve: (done: (error: NodeJS.ErrnoException | null, addresses: string[]) => void) => void,
): Promise<{ code: string | undefined; found: LookupAddress[] }> {
  return new Promise((done) => {
    resolve((error, found) => {
      if (error) done({ code: error.code, found: [] });
      else done({ code: undefined, found: found.map((address) => ({ address, family })) });
    });
  });
}
