import { DuesError, errorIn, toDuesError } from './dues-error.ts';
import type { EventData } from './generated/webhook-events.ts';

/** What a customer may do: the state in an event, and in the REST API. */
export type CustomerState = Omit<EventData['customer.state_changed'], 'previous'>;

export interface StateCacheOptions {
  /** URL of dues: `https://dues.example`. */
  readonly url: string;
  /** A key with the scope `read`. Never use it in a browser. */
  readonly apiKey: string;
  /**
   * Milliseconds for which a state that is too old is still returned while dues cannot be reached.
   * Default 0: then `get` rejects. A customer without access may get in during that time, and a
   * new customer may be refused, so the merchant must decide it.
   */
  readonly failOpenMs?: number;
  /** Maximum age of a state in milliseconds. It is asked again earlier at its `validUntil`. Default 60,000. */
  readonly maxAgeMs?: number;
  /** Maximum customers. The least recently used ones are dropped. Default 10,000. */
  readonly maxEntries?: number;
  /** The time in milliseconds since 1970. Default `Date.now`. */
  readonly now?: () => number;
}

/** The states of customers in memory. Every call rejects only with a DuesError. */
export interface StateCache {
  /** Returns what a customer may do, from memory or from dues. Calls at the same time share a request. */
  get(customerId: string): Promise<CustomerState>;
  /** Asks dues even if a state is in memory: after a checkout, whose webhook may come later. */
  refresh(customerId: string): Promise<CustomerState>;
  /** Takes the data of an event `customer.state_changed`. Of two states the higher version is kept. */
  take(data: CustomerState): void;
}

interface Entry {
  readonly state: CustomerState;
  /** Until then it is returned without a request. */
  readonly freshUntil: number;
  /** When the last request failed while the state was too old. */
  readonly failedAt?: number;
}

/** A request without an answer after this time has failed. */
const TIMEOUT_MS = 5_000;
/** While dues cannot be reached, a customer is asked for again after this time. */
const RETRY_MS = 1_000;

export function createStateCache({
  url,
  apiKey,
  failOpenMs = 0,
  maxAgeMs = 60_000,
  maxEntries = 10_000,
  now = Date.now,
}: StateCacheOptions): StateCache {
  /** The least recently used one first. */
  const entries = new Map<string, Entry>();
  const requests = new Map<string, Promise<CustomerState>>();

  function keep(customerId: string, entry: Entry): void {
    entries.delete(customerId);
    entries.set(customerId, entry);
    const [oldest] = entries.keys();
    if (entries.size > maxEntries && oldest !== undefined) entries.delete(oldest);
  }

  function keepNew(state: CustomerState): CustomerState {
    const validUntil = state.validUntil === null ? Number.POSITIVE_INFINITY : Date.parse(state.validUntil);
    keep(state.customerId, { state, freshUntil: Math.min(now() + maxAgeMs, validUntil) });
    return state;
  }

  async function ask(customerId: string): Promise<CustomerState> {
    const known = entries.get(customerId);
    try {
      const answer = await readState(url, apiKey, customerId, known?.state);
      const current = entries.get(customerId);
      // An event that came during the request may be newer than the answer.
      const isTold = current !== undefined && current.state !== known?.state;
      return keepNew(isTold && current.state.version > answer.version ? current.state : answer);
    } catch (cause) {
      const error = toDuesError(cause);
      const current = entries.get(customerId);
      if (!error.isTemporary || !current || now() >= current.freshUntil + failOpenMs) throw error;
      keep(customerId, { ...current, failedAt: now() });
      return current.state;
    }
  }

  function askOnce(customerId: string): Promise<CustomerState> {
    const running = requests.get(customerId);
    if (running) return running;
    const request = ask(customerId).finally(() => requests.delete(customerId));
    requests.set(customerId, request);
    return request;
  }

  return {
    async get(customerId) {
      const entry = entries.get(customerId);
      if (!entry) return askOnce(customerId);
      const { state, freshUntil, failedAt = Number.NEGATIVE_INFINITY } = entry;
      const isUsable = now() < freshUntil + failOpenMs && now() < failedAt + RETRY_MS;
      if (now() >= freshUntil && !isUsable) return askOnce(customerId);
      keep(customerId, entry);
      return state;
    },
    async refresh(customerId) {
      // A request that runs already may have read the state before the change.
      await requests.get(customerId)?.catch(() => undefined);
      return askOnce(customerId);
    },
    take({ customerId, version, hasAccess, features, subscriptions, validUntil }) {
      const known = entries.get(customerId);
      // A customer who was never asked for takes the place of no other.
      if (known ? version <= known.state.version : !requests.has(customerId)) return;
      keepNew({ customerId, version, hasAccess, features, subscriptions, validUntil });
    },
  };
}

/** Reads a state; returns `known` if it has still the same version. */
async function readState(
  url: string,
  apiKey: string,
  customerId: string,
  known: CustomerState | undefined,
): Promise<CustomerState> {
  const path = `/api/customers/${encodeURIComponent(customerId)}/state`;
  const response = await fetch(new URL(path, url), {
    headers: {
      authorization: `Bearer ${apiKey}`,
      ...(known && { 'if-none-match': `"${known.version}"` }),
    },
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  if (response.status === 304 && known) return known;
  const body = (await response.json().catch(() => undefined)) as
    | (CustomerState & { readonly error?: { readonly message: string } })
    | undefined;
  if (!response.ok) throw errorIn(body?.error && [{ ...body.error, extensions: body.error }], response);
  if (typeof body?.version !== 'number') {
    throw new DuesError('connection_error', 'The response is not from dues.', { status: response.status });
  }
  return body;
}
