import { randomBytes } from 'node:crypto';
import type { Localnet } from '../../localnet/localnet.ts';
import { COLLECTOR_KEY } from './network.ts';

type Variables = Readonly<Record<string, string | undefined>>;

/**
 * The environment variables of a role of dues as a process of its own, on a local network whose
 * time it follows. Without `geyserUrl` its indexer polls.
 *
 * @param others variables to add or to replace; undefined removes one
 */
export function roleVariables(
  databaseUrl: string,
  { rpcUrl, geyserUrl }: Pick<Localnet, 'rpcUrl'> & Partial<Pick<Localnet, 'geyserUrl'>>,
  others: Variables = {},
): Variables {
  return {
    DATABASE_URL: databaseUrl,
    SECRET_KEY: randomBytes(32).toString('base64'),
    PORT: '0',
    CLOCK: 'chain',
    WEBHOOK_HOSTS_ALLOWED: '127.0.0.1',
    TEST_RPC_URL: rpcUrl,
    TEST_YELLOWSTONE_URL: geyserUrl,
    TEST_COLLECTOR_KEY: JSON.stringify([...COLLECTOR_KEY]),
    ...others,
  };
}
