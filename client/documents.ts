import { graphql } from './generated/gql.ts';

export const CREATE_CHECKOUT_SESSION = graphql(`
  mutation CreateCheckoutSession($input: CreateCheckoutSessionInput!) {
    createCheckoutSession(input: $input) { id url expiresAt status }
  }
`);

export const EVENTS_CURSOR = graphql(`
  query EventsCursor { eventsCursor }
`);

export const EVENTS = graphql(`
  subscription Events($after: String, $types: [String!]) {
    events(after: $after, types: $types) { cursor id type sequence createdAt data }
  }
`);
