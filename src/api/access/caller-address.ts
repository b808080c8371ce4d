import { BlockList, isIP, isIPv6 } from 'node:net';

/** Parses the addresses of our own proxies in the configuration: `10.0.0.1` or `10.0.0.0/8`. */
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
 * The address of the caller: the peer of the connection or, if that is our proxy, the address that
 * the proxy reports. In `X-Forwarded-For` only the entries up to the first foreign address from the
 * right can be trusted; the caller may have written the others.
 */
export function callerAddress(
  remoteAddress: string | undefined,
  forwardedFor: string | undefined,
  proxies: BlockList,
): string {
  let address = plain(remoteAddress ?? 'unknown');
  const forwarded = forwardedFor?.split(',') ?? [];
  while (isTrusted(address, proxies)) {
    const next = plain(forwarded.pop()?.trim() ?? '');
    if (!isIP(next)) return address;
    address = next;
  }
  return address;
}

/**
 * The network that counts as one caller. For IPv6 it is the /64, because one internet connection
 * usually has all its addresses.
 */
export function networkOf(address: string): string {
  const plainAddress = plain(address);
  if (!isIPv6(plainAddress)) return plainAddress;
  const [head = '', tail] = plainAddress.split('::');
  const groups = head === '' ? [] : head.split(':');
  if (tail !== undefined) {
    const tailGroups = tail.split(':');
    groups.push(
      ...Array<string>(Math.max(0, 8 - groups.length - tailGroups.length)).fill('0'),
      ...tailGroups,
    );
  }
  return `${groups.slice(0, 4).join(':').toLowerCase()}::/64`;
}

function isTrusted(address: string, proxies: BlockList): boolean {
  const version = isIP(address);
  return version !== 0 && proxies.check(address, version === 6 ? 'ipv6' : 'ipv4');
}

// Converts IPv4-mapped IPv6 addresses to IPv4 and removes the zone of link-local addresses.
function plain(address: string): string {
  return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address.replace(/%.*$/, '');
}
