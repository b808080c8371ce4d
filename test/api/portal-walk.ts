/** A subscription, with the values that the portal may show only to its customer. */
export interface PortalSubscription {
  readonly id: string;
  readonly address: string;
  readonly customerId: string;
}

/** Sends a request to a route below `/api/portal/`: a GET request if there is no body. */
type SendRequest = (
  path: string,
  body?: object,
) => Promise<{ readonly status: number; readonly body: unknown }>;

/** A customer's session in the portal, with all subscriptions that it may see. */
export interface PortalSession {
  readonly name: string;
  readonly ask: SendRequest;
  readonly own: readonly PortalSubscription[];
}

/** The requests for one subscription to all routes that name a subscription. */
export function requestsFor(id: string): [path: string, body?: object][] {
  return [
    [`subscriptions/${id}`],
    [`subscriptions/${id}/payments`],
    [`subscriptions?before=${id}`],
    [`subscriptions/${id}/billing`],
    [`subscriptions/${id}/billing`, { billingName: 'Mallory' }],
    [`subscriptions/${id}/cancel`, { reason: 'other' }],
    [`subscriptions/${id}/undo`, {}],
    [`subscriptions/${id}/pause`, { periods: 1 }],
    [`subscriptions/${id}/unpause`, { chargeNow: false }],
    [`subscriptions/${id}/transaction`, { action: 'cancel' }],
  ];
}

/** The routes that show a portal session its own data. */
const OWN_ROUTES = ['session', 'subscriptions'];

/**
 * In every portal session, requests the subscriptions of others from every route that names a
 * subscription, and then reads all data that the portal session shows. Returns the leaks: data of
 * others in a response, or a status other than 404 for a subscription of others.
 */
export async function walkPortal(
  sessions: readonly PortalSession[],
  everything: readonly PortalSubscription[],
): Promise<string[]> {
  const leaks: string[] = [];
  for (const { name, ask, own } of sessions) {
    const foreign = everything.filter(({ id }) => own.every((subscription) => subscription.id !== id));
    const known = new Set(own.flatMap(namesOf));
    const request = async ([path, body]: [path: string, body?: object]) => {
      const response = await ask(path, body);
      const text = JSON.stringify(response.body);
      // An error may repeat a name from the request.
      const leaked = foreign
        .flatMap(namesOf)
        .filter((value) => text.includes(value) && !known.has(value) && !path.includes(value));
      if (leaked.length > 0) leaks.push(`${name}: ${path} shows ${leaked}`);
      return response;
    };
    for (const { id, address } of foreign) {
      for (const pathAndBody of [...requestsFor(id), ...requestsFor(address)]) {
        const { status } = await request(pathAndBody);
        if (status !== 404) leaks.push(`${name}: ${pathAndBody[0]} answers with ${status}`);
      }
    }
    for (const path of OWN_ROUTES) await request([path]);
    // Own subscriptions are only read, not changed.
    for (const { id } of own) {
      for (const [path, body] of requestsFor(id)) if (body === undefined) await request([path]);
    }
  }
  return leaks;
}

function namesOf({ id, address, customerId }: PortalSubscription): string[] {
  return [id, address, customerId];
}
