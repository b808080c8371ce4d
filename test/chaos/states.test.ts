import { describe, expect, it } from 'vitest';
import type { AcceptedWebhook } from '../../chaos/merchant-server.ts';
import { type ChangedPage, type ChaosState, judgeStates, StatesBackend } from '../../chaos/states.ts';

const state = (version: number, hasAccess: boolean): ChaosState => ({
  customerId: 'ada',
  version,
  hasAccess,
  subscriptions: [],
});
const told = (version: number, hasAccess: boolean) =>
  ({
    id: String(version),
    event: 'customer.state_changed',
    sequence: null,
    data: state(version, hasAccess),
  }) as unknown as AcceptedWebhook;
const kept = new Map([['ada', state(2, false)]]);

describe('the judge of states', () => {
  it('agrees with the same state in the backend and in the last webhook, in any order', () => {
    expect(judgeStates([state(2, false)], kept, [told(2, false), told(1, true)], true)).toEqual([]);
  });

  it.each<[string, ReadonlyMap<string, ChaosState>, AcceptedWebhook[]]>([
    ['a backend that lags', new Map([['ada', state(1, true)]]), [told(1, true), told(2, false)]],
    ['a backend that lacks the customer', new Map(), [told(1, true), told(2, false)]],
    ['a last webhook that says something else', kept, [told(1, true), told(2, true)]],
    ['a last webhook that is lost', kept, [told(1, true)]],
    ['a version that is left out', kept, [told(2, false)]],
  ])('finds %s', (_, ofBackend, webhooks) => {
    expect(judgeStates([state(2, false)], ofBackend, webhooks, true)).not.toEqual([]);
  });
});

describe('a backend that polls', () => {
  it('reads all pages, and begins again if the database was replaced', async () => {
    const pages = new Map<string | undefined, ChangedPage>([
      [undefined, { states: [state(1, true)], cursor: 'a', hasMore: true }],
      ['a', { states: [state(2, false)], cursor: 'b', hasMore: false }],
    ]);
    const asked: (string | undefined)[] = [];
    const backend = new StatesBackend(async (cursor) => {
      asked.push(cursor);
      const page = pages.get(cursor);
      if (!page) throw new Error('The database was replaced since this cursor was given out');
      return page;
    });
    await backend.catchUp();
    await backend.catchUp();
    expect(asked).toEqual([undefined, 'a', 'b', undefined, 'a']);
    expect(backend.kept.get('ada')).toEqual(state(2, false));
  });
});
