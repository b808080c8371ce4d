import { useQuery } from '@tanstack/react-query';
import type { PlanNamesQuery } from '../../generated/graphql.ts';
import { graphql } from './graphql.ts';
import { askOptions } from './query.ts';

const PLAN_NAMES = graphql(/* GraphQL */ `
  query PlanNames {
    plans(first: 100) {
      edges {
        node {
          planId
          name
          mint
          asset {
            mint
            symbol
            decimals
          }
        }
      }
    }
  }
`);

const PLAN_NAME = graphql(/* GraphQL */ `
  query PlanName($planId: String!) {
    plan(planId: $planId) {
      name
    }
  }
`);

/** A plan as far as a list of other things names it. */
export type NamedPlan = PlanNamesQuery['plans']['edges'][number]['node'];

/** The merchant's newest 100 plans by their plan id; none while they load. */
export function useNamedPlans(): ReadonlyMap<string, NamedPlan> {
  const { data } = useQuery(askOptions(PLAN_NAMES, {}));
  return new Map(data?.plans.edges.map(({ node }) => [node.planId, node]));
}

/**
 * The merchant's newest 100 plans as the options of a filter; none while they load.
 *
 * @param chosen plan id in the URL; it is an option even if it is not among the newest 100
 */
export function usePlanOptions(
  chosen?: string,
): readonly { readonly value: string; readonly label: string }[] {
  const { data } = useQuery(askOptions(PLAN_NAMES, {}));
  const newest =
    data?.plans.edges.map(({ node: { planId, name } }) => ({ value: planId, label: name })) ?? [];
  const isOlder = data !== undefined && newest.every(({ value }) => value !== chosen);
  const older = useQuery(
    askOptions(PLAN_NAME, { planId: chosen ?? '' }, { enabled: isOlder && chosen !== undefined }),
  );
  if (!isOlder || chosen === undefined) return newest;
  return [...newest, { value: chosen, label: older.data?.plan?.name ?? chosen }];
}
