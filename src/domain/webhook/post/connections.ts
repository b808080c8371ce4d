import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { LookupFunction } from 'node:net';
import type { Duplex } from 'node:stream';
import { addressFinder } from './address-finder.ts';
import { publicOnly } from './address-guard.ts';

/** How long a connection waits for its next webhook. */
const IDLE_MS = 10_000;
/** A connection is not used longer: else a receiver that moved would not be noticed as long as the old one answers. */
const MAX_AGE_MS = 60_000;
const MAX_IDLE = 512;

/** Connections to receivers, kept open between webhooks. An address is checked when it is dialled: it cannot change after that. */
export class Connections {
  /** Finds public addresses only. */
  readonly publicLookup: LookupFunction;
  readonly #guarded: { readonly http: HttpAgent; readonly https: HttpsAgent };
  readonly #allowed = { http: new HttpAgent(KEPT), https: new HttpsAgent(KEPT) };
  #isClosed = false;

  /** `find` looks up the names that strangers chose. */
  constructor(find: LookupFunction = addressFinder()) {
    this.publicLookup = publicOnly(find);
    const guarded = { ...KEPT, lookup: this.publicLookup };
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

  /** Breaks off whatever is still on its way. */
  close(): void {
    this.#isClosed = true;
    for (const agent of this.#agents()) agent.destroy();
  }

  #agents() {
    return [...Object.values(this.#guarded), ...Object.values(this.#allowed)];
  }
}

const KEPT = { keepAlive: true, maxFreeSockets: MAX_IDLE, timeout: IDLE_MS } as const;

function limitAge(agent: HttpAgent): void {
  const firstKept = new WeakMap<Duplex, number>();
  const keep = agent.keepSocketAlive.bind(agent);
  agent.keepSocketAlive = (socket) => {
    const since = firstKept.get(socket) ?? performance.now();
    firstKept.set(socket, since);
    return performance.now() - since < MAX_AGE_MS && keep(socket);
  };
}
