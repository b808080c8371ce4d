import { graphql } from './generated/gql.ts';

export const MERCHANT = graphql(`
  query Merchant {
    merchant { companyName }
    environment
  }
`);
