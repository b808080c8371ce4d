import { openRequests } from '../../../domain/billing/lifecycle/cancellation-feedback.ts';
import type { CancellationRequest } from '../../../generated/prisma/client.ts';
import { batchLoader } from './batch-loader.ts';

/** Loads the customer's own cancellation by the subscription's UUID; null if there is none. */
export const loadCancellationRequest = batchLoader<string, CancellationRequest | null>(
  async ({ app }, subscriptionIds) => {
    const requests = await openRequests(app.db, subscriptionIds);
    const requestById = new Map(requests.map((request) => [request.subscriptionId, request]));
    return subscriptionIds.map((id) => requestById.get(id) ?? null);
  },
);
