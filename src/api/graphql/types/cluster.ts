import { type ClusterFacts, getCluster } from '../../../domain/cluster/get-cluster.ts';
import { canMoveTime } from '../../../domain/test-clock/advance-test-clock.ts';
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
      description: 'Whether it is a local network, which wallets in browsers do not know.',
    }),
    now: t.field({
      type: 'DateTime',
      description:
        'The time that billing goes by: of a local network its own, otherwise that of the service.',
      resolve: (_root, _args, { app }) => app.clock.now(),
    }),
    canMoveTime: t.boolean({
      description: 'Whether `advanceTestClock` can move its time: never on a cluster that others use.',
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
      'The environments that this service has, TEST first. Another one is refused by everything that needs its cluster. Errors: `authentication_error`.',
    resolve: (_root, _args, { app }) =>
      (['TEST', 'LIVE'] as const).filter((each) => app.config.clusters[each]),
  }),
}));
