import type { LookupAddress } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';

/** The host is, or resolved to nothing but, addresses that webhooks do not go to. */
export class RefusedAddressError extends Error {
  override name = 'RefusedAddressError';

  constructor(hostname: string) {
    super(`${hostname} is not a public address`);
  }
}

// IANA's special-purpose registries: what is not globally reachable, or leads somewhere other than it says.
const REFUSED_IPV4 = [
  ['0.0.0.0', 8], // this network
  ['10.0.0.0', 8], // private
  ['100.64.0.0', 10], // carrier-grade NAT, and Alibaba's metadata
  ['127.0.0.0', 8], // loopback
  ['168.63.129.16', 32], // Azure's platform services, although it looks public
  ['169.254.0.0', 16], // link-local, and most clouds' metadata
  ['172.16.0.0', 12], // private
  ['192.0.0.0', 24], // protocol assignments, and Oracle's metadata
  ['192.0.2.0', 24], // documentation
  ['192.88.99.0', 24], // 6to4 relays
  ['192.168.0.0', 16], // private
  ['198.18.0.0', 15], // benchmarks
  ['198.51.100.0', 24], // documentation
  ['203.0.113.0', 24], // documentation
  ['224.0.0.0', 4], // multicast
  ['240.0.0.0', 4], // reserved, broadcast
] as const;

// All of IPv6 but global unicast is refused, and with it loopback, unique local, link-local, multicast, NAT64 and
// IPv4-mapped addresses; these are the parts of global unicast that are not what they seem.
const GLOBAL_IPV6 = ['2000::', 3] as const;
const REFUSED_IPV6 = [
  ['2001::', 23], // protocol assignments: Teredo, benchmarks, ORCHID
  ['2001:db8::', 32], // documentation
  ['2002::', 16], // 6to4: any IPv4 address in disguise
  ['3fff::', 20], // documentation
] as const;

const refused = new BlockList();
for (const [net, prefix] of REFUSED_IPV4) refused.addSubnet(net, prefix, 'ipv4');
for (const [net, prefix] of REFUSED_IPV6) refused.addSubnet(net, prefix, 'ipv6');
const globalIpv6 = new BlockList();
globalIpv6.addSubnet(...GLOBAL_IPV6, 'ipv6');

/** Whether an address is on the public internet, as far as numbers can tell. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  // `fe80::1%eth0`: only local addresses have zones.
  if (family === 0 || address.includes('%')) return false;
  if (family === 4) return !refused.check(address, 'ipv4');
  return globalIpv6.check(address, 'ipv6') && !refused.check(address, 'ipv6');
}

/** Whether a URL's host is an address, written as such, that is refused. Node asks no `lookup` about those. */
export function isRefusedLiteral({ hostname }: URL): boolean {
  const literal = hostname.replace(/^\[(.*)\]$/, '$1');
  return isIP(literal) !== 0 && !isPublicAddress(literal);
}

/** Whether the operator lets webhooks go to this host although it is private or plain http. */
export function isAllowedHost({ hostname, port, protocol }: URL, allowed: readonly string[]): boolean {
  const effectivePort = port || (protocol === 'https:' ? '443' : '80');
  return allowed.includes(hostname) || allowed.includes(`${hostname}:${effectivePort}`);
}

/**
 * A `lookup` for sockets that gives public addresses only, of those that another one finds. It is asked when the connection
 * is made, and the connection is made to what it answered: a name that changes its mind after it was checked gets nowhere.
 */
export function publicOnly(find: LookupFunction): LookupFunction {
  return (hostname, options, callback) => {
    find(hostname, { ...options, all: true }, (error, found) => {
      if (error) return callback(error, '');
      const [first, ...others] = (found as LookupAddress[]).filter(({ address }) => isPublicAddress(address));
      if (!first) return callback(new RefusedAddressError(hostname), '');
      if (options.all) return callback(null, [first, ...others]);
      callback(null, first.address, first.family);
    });
  };
}
