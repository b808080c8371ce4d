/** A subscription, with the values that the portal may show only to its customer. */
export interface WalkedSubscription {
  readonly id: string;
  readonly address: string;
  readonly customerId: string;
}

/** Asks a route below `/api/portal/`: GET without a body. */
type Ask = (path: string, body?: object) => Promise<{ readonly status: number; readonly body: unknown }>;

/** A customer in the portal, with all subscriptions that belong to the session. */
export interface WalkedSession {
  readonly name: string;
  readonly ask: Ask;
  readonly own: readonly WalkedSubscription[];
}

/** All routes that name a subscription, as requests for one. */
export function requestsFor(id: string): [path: string, body?: object][] {
  return [
    [`subscriptions/${id}`],
    [`subscriptions/${id}/payments`],
    [`subscriptions?before=${id}`],
    [`subscriptions/${id}/billing`],
    [`subscriptions/${id}/billing`, { billingName: 'Mallory' }],
    [`subscriptions/${id}/cancel`, { reason: 'other' }],
    [`subscriptions/${id}/undo`, {}],
    [`subscriptions/${id}/transaction`, { action: 'cancel' }],
  ];
}

/** The routes that show a session what belongs to it. */
const OWN_ROUTES = ['session', 'subscriptions'];

/**
 * Asks every route of the portal in every session for every subscription, and reads all that each
 * session shows. Returns what a session learned about the subscriptions of others.
 */
export async function walkPortal(
  sessions: readonly WalkedSession[],
  everything: readonly WalkedSubscription[],
): Promise<{ readonly asked: number; readonly leaks: readonly string[] }> {
  let asked = 0;
  const leaks: string[] = [];
  for (const { name, ask, own } of sessions) {
    const foreign = everything.filter(({ id }) => own.every((each) => each.id !== id));
    const known = new Set(own.flatMap(namesOf));
    const request = async ([path, body]: [path: string, body?: object]) => {
      asked += 1;
      const answer = await ask(path, body);
      const text = JSON.stringify(answer.body);
      // An error may repeat what was asked for.
      const shown = foreign
        .flatMap(namesOf)
        .filter((each) => text.includes(each) && !known.has(each) && !path.includes(each));
      if (shown.length > 0) leaks.push(`${name}: ${path} shows ${shown}`);
      return answer;
    };
    for (const { id, address } of foreign) {
      for (const each of [...requestsFor(id), ...requestsFor(address)]) {
        const { status } = await request(each);
        if (status !== 404) leaks.push(`${name}: ${each[0]} answers with ${status}`);
      }
    }
    for (const path of OWN_ROUTES) await request([path]);
    // Only what changes nothing.
    for (const { id } of own) {
      for (const each of requestsFor(id)) if (each[1] === undefined) await request(each);
    }
  }
  return { asked, leaks };
}

function namesOf({ id, address, customerId }: WalkedSubscription): string[] {
  return [id, address, customerId];
}
