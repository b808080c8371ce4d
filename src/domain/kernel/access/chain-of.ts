import type { AppContext } from '../../../app.ts';
import { type Chain, ClusterUnusable } from '../../../chain/chain.ts';
import { BillingError } from '../../../errors.ts';
import type { Environment } from '../../../generated/prisma/client.ts';

/**
 * The cluster of an environment.
 *
 * @throws ClusterUnusable while it is unreachable; BillingError invalid_request if the environment
 *   is not configured
 */
export function chainOf(
  { chain, away }: Pick<AppContext, 'chain' | 'away'>,
  environment: Environment,
): Chain {
  const cluster = chain[environment];
  const reason = away?.get(environment);
  if (reason !== undefined) throw new ClusterUnusable(reason);
  if (!cluster)
    throw new BillingError('invalid_request', `The ${environment} environment is not served here.`);
  return cluster;
}
