import type { IncomingMessage } from 'node:http';

const PROBES = new Set(['/health', '/health/live', '/health/ready']);
/** Maximum uncounted probes per second of one address. A load balancer sends less than one. */
export const PROBES_PER_ADDRESS = 10;

/** Admits a limited number of health probes without counting or waiting. */
export class ProbeAllowance {
  readonly #taken = new Map<string, number>();
  #second = 0;

  /**
   * Whether a request is a probe that neither counts nor waits. A forwarded request is none: a
   * load balancer asks for itself, and its clients get no more than other callers.
   *
   * @param network the network of the caller
   */
  takes({ method, url, headers }: IncomingMessage, network: string): boolean {
    const isProbe = (method === 'GET' || method === 'HEAD') && PROBES.has(url?.split('?', 1)[0] ?? '');
    if (!isProbe || headers['x-forwarded-for'] !== undefined) return false;
    const second = Math.floor(performance.now() / 1_000);
    if (second !== this.#second) {
      this.#second = second;
      this.#taken.clear();
    }
    const taken = this.#taken.get(network) ?? 0;
    this.#taken.set(network, taken + 1);
    return taken < PROBES_PER_ADDRESS;
  }
}
