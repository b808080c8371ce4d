import { useQuery } from '@tanstack/react-query';
import { graphql } from './graphql.ts';
import { askOptions } from './query.ts';

const CLUSTER = graphql(/* GraphQL */ `
  query ClusterFacts {
    cluster {
      chain
      explorerUrl
      isLocal
      canMoveTime
    }
  }
`);

/** The cluster of this environment, read once; undefined while it loads. */
export function useCluster() {
  return useQuery({ ...askOptions(CLUSTER, {}), staleTime: Number.POSITIVE_INFINITY }).data?.cluster;
}
