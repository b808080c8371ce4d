import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { LookupFunction } from 'node:net';
import type { Duplex } from 'node:stream';
import { addressFinder } from './address-finder.ts';
import { publicOnly } from './address-guard.ts';

/** The time for which an idle connection is kept open. */
const IDLE_MS = 10_000;
/** Maximum age of a connection, so that a changed address of an endpoint's host is noticed. */
const MAX_AGE_MS = 60_000;
const MAX_IDLE = 512;

/** Keep-alive connections to endpoints. The address is checked when a connection is made. */
export class Connections {
  /** Returns public addresses only. */
  readonly publicLookup: LookupFunction;
  readonly #guarded: { readonly http: HttpAgent; readonly https: HttpsAgent };
  readonly #allowed = { http: new HttpAgent(AGENT_OPTIONS), https: new HttpsAgent(AGENT_OPTIONS) };
  readonly #onClose = new Set<() => void>();
  #isClosed = false;

  /** `find` looks up names that merchants chose. */
  constructor(find: LookupFunction = addressFinder()) {
    this.publicLookup = publicOnly(find);
    const guarded = { ...AGENT_OPTIONS, lookup: this.publicLookup };
    this.#guarded = { http: new HttpAgent(guarded), https: new HttpsAgent(guarded) };
    for (const agent of this.#agents()) limitAge(agent);
  }

  /** `guarded` connects to public addresses only. */
  agentFor({ protocol }: URL, { guarded }: { guarded: boolean }): HttpAgent | HttpsAgent {
    const agents = guarded ? this.#guarded : this.#allowed;
    return protocol === 'https:' ? agents.https : agents.http;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Interrupts all requests. */
  close(): void {
    this.#isClosed = true;
    for (const listener of [...this.#onClose]) listener();
    for (const agent of this.#agents()) agent.destroy();
  }

  /** Calls back on `close`, or at once if it was called before. */
  onClose(listener: () => void): void {
    if (this.#isClosed) listener();
    else this.#onClose.add(listener);
  }

  /** Removes a callback of `onClose`. */
  offClose(listener: () => void): void {
    this.#onClose.delete(listener);
  }

  #agents() {
    return [...Object.values(this.#guarded), ...Object.values(this.#allowed)];
  }
}

const AGENT_OPTIONS = { keepAlive: true, maxFreeSockets: MAX_IDLE, timeout: IDLE_MS } as const;

function limitAge(agent: HttpAgent): void {
  const firstKept = new WeakMap<Duplex, number>();
  const keep = agent.keepSocketAlive.bind(agent);
  agent.keepSocketAlive = (socket) => {
    const since = firstKept.get(socket) ?? performance.now();
    firstKept.set(socket, since);
    return performance.now() - since < MAX_AGE_MS && keep(socket);
  };
}
