import { invalidRequest } from '../../../errors.ts';
import type { WebhookEndpoint } from '../../../generated/prisma/client.ts';

/** @throws BillingError invalid_request, with that param, if the endpoint is disabled or removed */
export function assertReceives({ status }: Pick<WebhookEndpoint, 'status'>, param: string): void {
  if (status === 'DELETED') throw invalidRequest(param, 'The endpoint was removed.');
  if (status === 'DISABLED') throw invalidRequest(param, 'The endpoint is disabled: enable it first.');
}
