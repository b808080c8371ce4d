// A merchant's backend that knows what its customers may do only from `customerStatesChangedSince`, and the judge
// of the states: what the backend keeps, what the last webhook said and what dues answers must be the same.
import { isDeepStrictEqual } from 'node:util';
import { mayFollow, type Wrong } from './judge.ts';
import type { AcceptedWebhook } from './merchant-server.ts';

/** A state as the API answers it. */
export interface ChaosState {
  readonly customerId: string;
  readonly version: number;
  readonly hasAccess: boolean;
  readonly subscriptions: readonly { readonly subscriptionId: string; readonly status: string }[];
}

export interface ChangedPage {
  readonly states: readonly ChaosState[];
  readonly cursor: string;
  readonly hasMore: boolean;
}

/** Keeps the states of one merchant's customers by polling. */
export class StatesBackend {
  readonly kept = new Map<string, ChaosState>();
  readonly #read: (cursor: string | undefined) => Promise<ChangedPage>;
  #cursor: string | undefined;

  /** @param read asks dues; it rejects if the cursor is of a database that was replaced */
  constructor(read: (cursor: string | undefined) => Promise<ChangedPage>) {
    this.#read = read;
  }

  /** Takes over what has changed since the last call. Begins again if the database was replaced. */
  async catchUp(): Promise<void> {
    for (;;) {
      let page: ChangedPage;
      try {
        page = await this.#read(this.#cursor);
      } catch (error) {
        if (this.#cursor === undefined || !String(error).includes('The database was replaced')) throw error;
        this.#cursor = undefined;
        this.kept.clear();
        continue;
      }
      for (const state of page.states) this.kept.set(state.customerId, state);
      this.#cursor = page.cursor;
      if (!page.hasMore) return;
    }
  }
}

/**
 * Compares what dues answers with what the backend keeps, and with the webhooks: the last version of each
 * customer, and no version left out.
 *
 * @param isComplete whether no webhook was lost: after an asynchronous failover versions may begin again
 */
export function judgeStates(
  answered: readonly ChaosState[],
  kept: ReadonlyMap<string, ChaosState>,
  webhooks: readonly AcceptedWebhook[],
  isComplete: boolean,
): Wrong[] {
  const told = Map.groupBy(
    webhooks.filter(({ event }) => event === 'customer.state_changed'),
    ({ data }) => (data as unknown as ChaosState).customerId,
  );
  return answered.flatMap((state): Wrong[] => {
    const { customerId, version, hasAccess } = state;
    const wrong = (detail: string) => ({ what: 'customer state', detail: `${customerId}: ${detail}` });
    const own = kept.get(customerId);
    const findings = isDeepStrictEqual(own, state)
      ? []
      : [wrong(`the backend keeps ${JSON.stringify(own)}, dues answers ${JSON.stringify(state)}`)];
    const states = (told.get(customerId) ?? []).map(({ data }) => data as unknown as ChaosState);
    const versions = [...new Set(states.map((each) => each.version))].sort((a, b) => a - b);
    const last = states.findLast((each) => each.version === version);
    if (last?.hasAccess !== hasAccess)
      findings.push(wrong(`version ${version} was told as ${last?.hasAccess}, is ${hasAccess}`));
    const isConsecutive = versions.every((each, index) => mayFollow(versions[index - 1] ?? 0, each));
    if (isComplete && !isConsecutive) findings.push(wrong(`told versions ${versions}`));
    return findings;
  });
}
