import type { DiscountPageQuery } from '../../../generated/graphql.ts';
import { graphql } from '../../../shared/api/graphql.ts';

export const DISCOUNT = graphql(/* GraphQL */ `
  query DiscountPage($id: ID!) {
    discount(id: $id) {
      id
      name
      code
      percentBps
      amount
      asset {
        mint
        symbol
        decimals
      }
      periods
      plans {
        planId
        name
      }
      maxRedemptions
      maxPerCustomer
      firstPurchaseOnly
      startsAt
      endsAt
      isActive
      state
      taken
      createdAt
    }
  }
`);

export const UPDATE_DISCOUNT = graphql(/* GraphQL */ `
  mutation UpdateDiscount($id: ID!, $input: UpdateDiscountInput!) {
    updateDiscount(id: $id, input: $input) {
      id
      isActive
    }
  }
`);

export type DiscountDetail = NonNullable<DiscountPageQuery['discount']>;
