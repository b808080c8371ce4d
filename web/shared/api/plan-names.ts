import { useQuery } from '@tanstack/react-query';
import { graphql } from './graphql.ts';
import { askOptions } from './query.ts';

const PLAN_NAMES = graphql(/* GraphQL */ `
  query PlanNames {
    plans(first: 100) {
      edges {
        node {
          planId
          name
        }
      }
    }
  }
`);

/** Ids and names of the merchant's newest 100 plans; empty while they load. */
export function usePlanNames(): readonly { readonly planId: string; readonly name: string }[] {
  const { data } = useQuery(askOptions(PLAN_NAMES, {}));
  return data?.plans.edges.map(({ node }) => node) ?? [];
}
