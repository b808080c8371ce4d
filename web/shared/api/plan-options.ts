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

/** The merchant's newest 100 plans as the options of a filter; none while they load. */
export function usePlanOptions(): readonly { readonly value: string; readonly label: string }[] {
  const { data } = useQuery(askOptions(PLAN_NAMES, {}));
  return data?.plans.edges.map(({ node: { planId, name } }) => ({ value: planId, label: name })) ?? [];
}
