import { BlockList, isIP } from 'node:net';

const PROBES = new Set(['/health', '/health/live', '/health/ready']);
/**
 * Maximum uncounted probes per second of one address, and of all. A load balancer sends less than
 * one.
 */
export const PROBES_PER_ADDRESS = 10;
export const MAX_PROBES = 200;

/**
 * Private networks of load balancers and orchestrators. The limit for all addresses does not apply
 * to them.
 */
const OWN_NETWORKS = new BlockList();
for (const [net, bits] of [
  ['127.0.0.0', 8],
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['169.254.0.0', 16],
  ['100.64.0.0', 10],
] as const) {
  OWN_NETWORKS.addSubnet(net, bits);
}
OWN_NETWORKS.addSubnet('fc00::', 7, 'ipv6');

/** Whether a request is a health probe. */
export function isProbe(method: string | undefined, url: string | undefined): boolean {
  return (method === 'GET' || method === 'HEAD') && PROBES.has(url?.split('?', 1)[0] ?? '');
}

/** Admits a limited number of probes without counting or waiting. */
export class ProbeAllowance {
  readonly #taken = new Map<string, number>();
  #second = 0;
  #all = 0;

  take(address: string): boolean {
    const second = Math.floor(performance.now() / 1_000);
    if (second !== this.#second) {
      this.#second = second;
      this.#all = 0;
      this.#taken.clear();
    }
    const taken = this.#taken.get(address) ?? 0;
    if (taken >= PROBES_PER_ADDRESS) return false;
    if (!isOwn(address)) {
      if (this.#all >= MAX_PROBES) return false;
      this.#all += 1;
    }
    this.#taken.set(address, taken + 1);
    return true;
  }
}

/** The form of ::1 from `networkOf`. In a BlockList it would match every IPv4 address. */
const LOOPBACK_6 = '0:0:0:0::/64';

/** @param address an IPv4 address, or an IPv6 network in the form of `networkOf` */
function isOwn(address: string): boolean {
  if (address === LOOPBACK_6) return true;
  const [first = ''] = address.split('/');
  const version = isIP(first);
  return version !== 0 && OWN_NETWORKS.check(first, version === 6 ? 'ipv6' : 'ipv4');
}
