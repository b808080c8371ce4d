import { graphql } from './generated/gql.ts';

export const CREATE_PORTAL_SESSION = graphql(`
  mutation CreatePortalSession($customer: ID!, $flow: PortalFlow, $returnUrl: String) {
    createPortalSession(customer: $customer, flow: $flow, returnUrl: $returnUrl) {
      url
      expiresAt
    }
  }
`);
