import type { PlanDetailQuery } from '../../../generated/graphql.ts';
import { graphql } from '../../../shared/api/graphql.ts';

export const PLAN = graphql(/* GraphQL */ `
  query PlanDetail($planId: String!) {
    plan(planId: $planId) {
      planId
      name
      description
      imageUrl
      maxPausedPeriods
      address
      amount
      maxAmount
      prices {
        id
        version
        amount
        createdAt
        retiredAt
      }
      mint
      asset {
        mint
        symbol
        name
        decimals
      }
      interval
      trialPeriodSeconds
      status
      problem
      revenue
      paymentCount
      createdAt
      publishedAt
      endsAt
      features {
        key
        limit
      }
      graceSeconds
      retryPolicy
      collectWithinSeconds
      subscribers {
        active
        pastDue
        cancelled
        expired
      }
      merchant {
        walletAddress
      }
    }
    settings {
      graceSeconds
    }
  }
`);

/** Changes what is not on chain of a plan. */
export const UPDATE_PLAN = graphql(/* GraphQL */ `
  mutation UpdatePlan($planId: String!, $input: UpdatePlanInput!) {
    updatePlan(planId: $planId, input: $input) {
      planId
    }
  }
`);

/** Fields that change without an event: the page refetches the plan when one of them differs. */
export const PLAN_FOLLOWED = graphql(/* GraphQL */ `
  subscription PlanFollowed($planId: String!) {
    planUpdated(planId: $planId) {
      status
      problem
      endsAt
      name
      description
      imageUrl
    }
  }
`);

export type PlanDetail = NonNullable<PlanDetailQuery['plan']>;
