import { BlockList, isIP, isIPv6 } from 'node:net';

/** Addresses of our own proxies, as the configuration lists them: `10.0.0.1`, or `10.0.0.0/8`. */
export function trustedProxies(ranges: readonly string[]): BlockList {
  const proxies = new BlockList();
  for (const range of ranges) {
    const [address = '', bits] = range.split('/');
    const family = isIPv6(address) ? 'ipv6' : 'ipv4';
    if (bits === undefined) proxies.addAddress(address, family);
    else proxies.addSubnet(address, Number(bits), family);
  }
  return proxies;
}

/**
 * Where a request comes from: the connection's other end, or, where that is a proxy of ours, whom the proxy names. Whatever
 * stands further left in `X-Forwarded-For` than the first address that is not ours was written by a stranger.
 */
export function callerAddress(
  remoteAddress: string | undefined,
  forwardedFor: string | undefined,
  proxies: BlockList,
): string {
  let address = plain(remoteAddress ?? 'unknown');
  const named = forwardedFor?.split(',') ?? [];
  while (isTrusted(address, proxies)) {
    const next = plain(named.pop()?.trim() ?? '');
    if (!isIP(next)) return address;
    address = next;
  }
  return address;
}

/** What counts as one caller: a whole /64 of IPv6, for one customer has all of it to choose addresses from. */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address;
  const [head = '', tail] = address.split('::');
  const groups = head === '' ? [] : head.split(':');
  if (tail !== undefined) {
    const after = tail.split(':');
    groups.push(...Array<string>(Math.max(0, 8 - groups.length - after.length)).fill('0'), ...after);
  }
  return `${groups.slice(0, 4).join(':').toLowerCase()}::/64`;
}

function isTrusted(address: string, proxies: BlockList): boolean {
  const version = isIP(address);
  return version !== 0 && proxies.check(address, version === 6 ? 'ipv6' : 'ipv4');
}

// An IPv4 address as a socket for both versions words it; and without the zone of a link-local one.
function plain(address: string): string {
  return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address.replace(/%.*$/, '');
}
