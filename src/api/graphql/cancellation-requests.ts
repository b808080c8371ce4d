import DataLoader from 'dataloader';
import { openRequests } from '../../domain/billing/lifecycle/cancellation-feedback.ts';
import type { CancellationRequest } from '../../generated/prisma/client.ts';
import type { GraphqlContext } from './context.ts';

type Loader = DataLoader<string, CancellationRequest | null>;

const loaders = new WeakMap<GraphqlContext, Loader>();

/**
 * The customer's own cancellation of a subscription, by our id. All of one response are loaded
 * together.
 */
export function loadCancellationRequest(
  context: GraphqlContext,
  subscriptionId: string,
): Promise<CancellationRequest | null> {
  const loader = loaders.get(context) ?? createLoader(context);
  loaders.set(context, loader);
  return loader.load(subscriptionId);
}

// Nothing is cached: a live stream sends many responses in one context.
function createLoader({ app }: GraphqlContext): Loader {
  const read = async (subscriptionIds: readonly string[]) => {
    const requests = await openRequests(app.db, subscriptionIds);
    const found = new Map(requests.map((request) => [request.subscriptionId, request]));
    return subscriptionIds.map((id) => found.get(id) ?? null);
  };
  return new DataLoader(read, { cache: false });
}
