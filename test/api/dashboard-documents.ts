/** Documents that only the dashboard sends. */
import { graphql } from './generated/gql.ts';

export const ASSETS = graphql(`
  query Assets { assets { mint symbol name decimals logoUrl isDefault } }
`);

export const PLAN_ASSET = graphql(`
  query PlanAsset($planId: String!) {
    plan(planId: $planId) { mint asset { mint symbol name decimals logoUrl isDefault } }
  }
`);

export const PLAN_ASSETS = graphql(`
  query PlanAssets { plans(first: 100) { edges { node { planId asset { decimals } } } } }
`);

export const SESSION_ASSET = graphql(`
  query SessionAsset($id: ID!) { checkoutSession(id: $id) { plan { asset { symbol decimals } } } }
`);

export const MRR_ASSETS = graphql(`
  query MrrAssets($day: String!) {
    metrics(from: $day, to: $day) { days { mrr { mint amount asset { symbol decimals } } } }
  }
`);

export const CLUSTER = graphql(`
  query Cluster { cluster { chain explorerUrl genesisHash isLocal } environments }
`);

export const PAYMENT = graphql(`
  query Payment($id: ID!) { payment(id: $id) { id status amount subscription { id } } }
`);

export const EVENT = graphql(`
  query Event($id: ID!) {
    event(id: $id) { id type data subscription { id } deliveries { id status endpoint { url } } }
  }
`);

export const SEARCH = graphql(`
  query Search($text: String!) { search(text: $text) { kind id label detail createdAt } }
`);

export const ONBOARDING = graphql(`
  query Onboarding { onboarding { steps { step doneAt } dismissedAt } }
`);

export const DISMISS_ONBOARDING = graphql(`
  mutation DismissOnboarding { dismissOnboarding { dismissedAt } }
`);

export const SERVICE_HEALTH = graphql(`
  query ServiceHealth {
    serviceHealth {
      collectors { environment role address lamports daysLeft canPay }
      mirror { state slotsBehind silentSeconds doubt }
      checkedAt
    }
  }
`);
