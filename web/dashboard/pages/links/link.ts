import type { PaymentLinkRowsQuery } from '../../../generated/graphql.ts';
import { graphql } from '../../../shared/api/graphql.ts';

export const LINKS = graphql(/* GraphQL */ `
  query PaymentLinkRows(
    $planId: String
    $active: Boolean
    $first: Int
    $after: String
    $last: Int
    $before: String
  ) {
    paymentLinks(
      planId: $planId
      active: $active
      first: $first
      after: $after
      last: $last
      before: $before
    ) {
      pageInfo {
        hasNextPage
        hasPreviousPage
        startCursor
        endCursor
      }
      edges {
        node {
          id
          url
          qrSvgUrl
          qrPngUrl
          embedScriptUrl
          name
          active
          allowsCodes
          openedCount
          completedCount
          createdAt
          plan {
            planId
            name
          }
        }
      }
    }
  }
`);

export const SWITCH_LINK = graphql(/* GraphQL */ `
  mutation SwitchPaymentLink($id: ID!, $active: Boolean!) {
    updatePaymentLink(id: $id, input: { active: $active }) {
      id
      active
    }
  }
`);

export type LinkRow = PaymentLinkRowsQuery['paymentLinks']['edges'][number]['node'];
