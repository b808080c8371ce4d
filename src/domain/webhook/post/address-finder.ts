import { type LookupAddress, Resolver } from 'node:dns';
import type { LookupFunction } from 'node:net';

/** Of one question to one server; the second try waits twice as long. */
const TIMEOUT_MS = 2000;
const TRIES = 2;
/** For everything, however many servers there are: well below what a try may take, so that it is told apart from silence. */
const MOST_MS = 7000;
/** RFC 6761: never asked of a server. */
const LOOPBACK: LookupAddress[] = [{ address: '127.0.0.1', family: 4 }];

type Answer = { readonly error: NodeJS.ErrnoException | null; readonly found: LookupAddress[] };

/**
 * A `lookup` for sockets that asks DNS servers itself, without the threads that `dns.lookup` shares with everything else:
 * however long the server of a stranger's name takes, other names are found meanwhile. Whoever asks for a name that is just
 * being looked for waits for the same answer. Names in the machine's own hosts file are not found.
 *
 * Fails by ENOTFOUND where there is no such name or address, else by EAI_AGAIN.
 *
 * @param servers those to ask; without them, those of the machine
 */
export function addressFinder(servers?: readonly string[]): LookupFunction {
  const underWay = new Map<string, Promise<Answer>>();
  const ask = (hostname: string) => {
    const already = underWay.get(hostname);
    if (already) return already;
    const answer = find(hostname, servers).finally(() => underWay.delete(hostname));
    underWay.set(hostname, answer);
    return answer;
  };
  return (hostname, { all }, callback) => {
    void ask(hostname).then(({ error, found }) => {
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
  // A new one each time reads anew which servers the machine has, and can be given up alone.
  const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: TRIES });
  if (servers) resolver.setServers(servers);
  const late = setTimeout(() => resolver.cancel(), MOST_MS);
  const [ipv4, ipv6] = await Promise.all([
    addresses(4, (done) => resolver.resolve4(hostname, done)),
    addresses(6, (done) => resolver.resolve6(hostname, done)),
  ]);
  clearTimeout(late);
  const found = [...ipv4.found, ...ipv6.found];
  const isSure = [ipv4, ipv6].every(({ code }) => code === 'ENOTFOUND' || code === 'ENODATA');
  const code = isSure ? 'ENOTFOUND' : 'EAI_AGAIN';
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
