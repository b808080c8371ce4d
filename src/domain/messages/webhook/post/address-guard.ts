import type { LookupAddress } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';

/** The host is, or resolves only to, addresses that webhooks must not be sent to. */
export class RefusedAddressError extends Error {
  override name = 'RefusedAddressError';

  constructor(hostname: string) {
    super(`${hostname} is not a public address`);
  }
}

// The addresses in IANA's special-purpose registries that are not globally reachable, or that are
// mapped to others.
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

// Only IPv6 addresses of global unicast are allowed, which excludes loopback, unique local,
// link-local, multicast, NAT64 and IPv4-mapped addresses. Parts of global unicast are refused too.
const GLOBAL_IPV6 = ['2000::', 3] as const;
const REFUSED_IPV6 = [
  ['2001::', 23], // protocol assignments: Teredo, benchmarks, ORCHID
  ['2001:db8::', 32], // documentation
  ['2002::', 16], // 6to4: contains any IPv4 address
  ['3fff::', 20], // documentation
] as const;

const refused = new BlockList();
for (const [net, prefix] of REFUSED_IPV4) refused.addSubnet(net, prefix, 'ipv4');
for (const [net, prefix] of REFUSED_IPV6) refused.addSubnet(net, prefix, 'ipv6');
const globalIpv6 = new BlockList();
globalIpv6.addSubnet(...GLOBAL_IPV6, 'ipv6');

/** Whether an address belongs to the public internet, by its number alone. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  // Only local addresses have zones: `fe80::1%eth0`.
  if (family === 0 || address.includes('%')) return false;
  if (family === 4) return !refused.check(address, 'ipv4');
  return globalIpv6.check(address, 'ipv6') && !refused.check(address, 'ipv6');
}

/**
 * Whether a URL's host is a literal address that is refused. Node does not call `lookup` for those.
 */
export function isRefusedLiteral({ hostname }: URL): boolean {
  const literal = hostname.replace(/^\[(.*)\]$/, '$1');
  return isIP(literal) !== 0 && !isPublicAddress(literal);
}

/** Whether a URL's host is a name of the local machine (RFC 6761), regardless of the resolver. */
export function isThisMachine({ hostname }: URL): boolean {
  return /(^|\.)localhost\.?$/.test(hostname);
}

/** Whether the operator allows webhooks to this host although it is private or plain http. */
export function isAllowedHost({ hostname, port, protocol }: URL, allowed: readonly string[]): boolean {
  const effectivePort = port || (protocol === 'https:' ? '443' : '80');
  return allowed.includes(hostname) || allowed.includes(`${hostname}:${effectivePort}`);
}

/**
 * A `lookup` for sockets that returns only the public addresses of another lookup. The connection
 * is made to the checked address, so a name cannot be changed between check and use (DNS
 * rebinding).
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
