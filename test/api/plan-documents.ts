import { graphql } from './generated/gql.ts';

export const UPDATE_PLAN = graphql(`
  mutation UpdatePlan($planId: String!, $input: UpdatePlanInput!) {
    updatePlan(planId: $planId, input: $input) { planId name description imageUrl }
  }
`);

export const DELETE_DRAFT = graphql(`
  mutation DeleteDraft($planId: String!) { deletePlanDraft(planId: $planId) }
`);

export const REPAIR_PLAN = graphql(`
  mutation RepairPlan($planId: String!) {
    repairPlanTransaction(planId: $planId) { plan { planId status } transaction }
  }
`);

export const DELETE_PLAN = graphql(`
  mutation DeletePlan($planId: String!) {
    deletePlanTransaction(planId: $planId) { plan { planId status } transaction }
  }
`);

export const PLAN_UPDATED = graphql(`
  subscription PlanUpdated($planId: String) { planUpdated(planId: $planId) { planId name status problem } }
`);

export const CREATE_PRICE = graphql(`
  mutation CreatePrice($planId: String!, $amount: TokenAmount!) {
    createPrice(planId: $planId, amount: $amount) { id version amount }
  }
`);

export const CREATE_DISCOUNT = graphql(`
  mutation CreateDiscount($input: CreateDiscountInput!) { createDiscount(input: $input) { id } }
`);

export const UPDATE_DISCOUNT = graphql(`
  mutation UpdateDiscount($id: ID!, $input: UpdateDiscountInput!) { updateDiscount(id: $id, input: $input) { id } }
`);

export const APPLY_DISCOUNT = graphql(`
  mutation ApplyDiscount($subscription: ID!, $discountId: ID!) {
    applyDiscount(subscription: $subscription, discountId: $discountId) { id }
  }
`);

export const REMOVE_DISCOUNT = graphql(`
  mutation RemoveDiscount($subscription: ID!) { removeDiscount(subscription: $subscription) { id } }
`);

export const RETIRE_PRICE = graphql(`
  mutation RetirePrice($priceId: ID!) { retirePrice(priceId: $priceId) { id retiredAt } }
`);
