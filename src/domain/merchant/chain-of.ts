import type { AppContext } from '../../app.ts';
import type { Chain } from '../../chain/chain.ts';
import { BillingError } from '../../errors.ts';
import type { Environment } from '../../generated/prisma/client.ts';

/**
 * The cluster of an environment.
 *
 * @throws BillingError invalid_request where this installation does not serve that environment
 */
export function chainOf({ chain }: Pick<AppContext, 'chain'>, environment: Environment): Chain {
  const cluster = chain[environment];
  if (!cluster)
    throw new BillingError('invalid_request', `The ${environment} environment is not served here.`);
  return cluster;
}
