import { BlockList, isIP } from 'node:net';

const PROBES = new Set(['/health', '/health/live', '/health/ready']);
/** Uncounted probes per second, of one address and of all. Load balancers send less than one. */
export const PROBES_OF_ONE = 10;
export const PROBES_OF_ALL = 200;

/**
 * Private networks of load balancers and orchestrators. Other callers cannot use up their probes.
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
  readonly #asked = new Map<string, number>();
  #second = 0;
  #all = 0;

  take(address: string): boolean {
    const second = Math.floor(performance.now() / 1_000);
    if (second !== this.#second) {
      this.#second = second;
      this.#all = 0;
      this.#asked.clear();
    }
    const asked = this.#asked.get(address) ?? 0;
    if (asked >= PROBES_OF_ONE) return false;
    if (!isOwn(address)) {
      if (this.#all >= PROBES_OF_ALL) return false;
      this.#all += 1;
    }
    this.#asked.set(address, asked + 1);
    return true;
  }
}

/** ::1 as `networkOf` writes it. In a list of networks it would match every IPv4 address. */
const LOOPBACK_6 = '0:0:0:0::/64';

/** @param address an IPv4 address, or a network of IPv6 addresses as `networkOf` writes it */
function isOwn(address: string): boolean {
  if (address === LOOPBACK_6) return true;
  const [first = ''] = address.split('/');
  const version = isIP(first);
  return version !== 0 && OWN_NETWORKS.check(first, version === 6 ? 'ipv6' : 'ipv4');
}
