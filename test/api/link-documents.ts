import { graphql } from './generated/gql.ts';

export const CREATE_LINK = graphql(`
  mutation CreatePaymentLink($input: CreatePaymentLinkInput!) {
    createPaymentLink(input: $input) {
      id url qrSvgUrl qrPngUrl embedScriptUrl name active successUrl cancelUrl metadata openedCount completedCount
      plan { planId }
    }
  }
`);

export const UPDATE_LINK = graphql(`
  mutation UpdatePaymentLink($id: ID!, $input: UpdatePaymentLinkInput!) {
    updatePaymentLink(id: $id, input: $input) { id name active successUrl metadata }
  }
`);

export const LINK = graphql(`
  query PaymentLink($id: ID!) { paymentLink(id: $id) { id active openedCount completedCount } }
`);

export const LINKS = graphql(`
  query PaymentLinks($planId: String, $active: Boolean, $first: Int, $after: String) {
    paymentLinks(planId: $planId, active: $active, first: $first, after: $after) {
      totalCount
      edges { cursor node { id } }
    }
  }
`);
