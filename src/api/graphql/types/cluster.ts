import { canMoveTime } from '../../../domain/chain-state/cluster/advance-test-clock.ts';
import { type ClusterFacts, getCluster } from '../../../domain/chain-state/cluster/get-cluster.ts';
import type { Environment as EnvironmentName } from '../../../generated/prisma/client.ts';
import { builder } from '../builder.ts';
import { scopeOf } from '../context.ts';
import { Environment } from './merchant.ts';

const Cluster = builder.objectRef<ClusterFacts & { environment: EnvironmentName }>('Cluster').implement({
  description: 'The Solana cluster of an environment.',
  fields: (t) => ({
    chain: t.exposeString('chain', {
      description:
        'Name of the cluster in the Wallet Standard: `solana:mainnet`, `solana:devnet` or `solana:localnet`.',
    }),
    explorerUrl: t.exposeString('explorerUrl', {
      description:
        'URL of a block explorer, in which `{path}` stands for `tx/<signature>` or `address/<address>`.',
    }),
    genesisHash: t.exposeString('genesisHash', { description: 'Genesis hash of the cluster. Base58.' }),
    isLocal: t.exposeBoolean('isLocal', {
      description: 'Whether the cluster is a local network. Browser wallets do not know local networks.',
    }),
    now: t.field({
      type: 'DateTime',
      description:
        'The time that billing uses: on a local network the time of that network, otherwise the time of the service.',
      resolve: (_root, _args, { app }) => app.clock.now(),
    }),
    canMoveTime: t.boolean({
      description:
        'Whether `advanceTestClock` can move the time of the cluster. It never can on a public cluster.',
      resolve: ({ environment }, _args, { app }) => canMoveTime(app, environment),
    }),
  }),
});

builder.queryFields((t) => ({
  cluster: t.field({
    type: Cluster,
    description: 'The cluster of the environment of this request. Errors: `authentication_error`.',
    resolve: async (_root, _args, context) => {
      const { environment } = scopeOf(context);
      return { ...(await getCluster(context.app, environment)), environment };
    },
  }),
  environments: t.field({
    type: [Environment],
    description:
      'Environments that this service has, TEST first. In a missing environment, requests that need the cluster fail with `invalid_request`. Errors: `authentication_error`.',
    resolve: (_root, _args, { app }) =>
      (['TEST', 'LIVE'] as const).filter((name) => app.config.clusters[name]),
  }),
}));
