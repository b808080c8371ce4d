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

/** The cluster of this environment; undefined while it loads. It does not change while the page is open. */
export function useCluster() {
  return useQuery({ ...askOptions(CLUSTER, {}), staleTime: Number.POSITIVE_INFINITY }).data?.cluster;
}
