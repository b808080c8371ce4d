import { graphql } from './generated/gql.ts';

export const RECEIVING_ACCOUNTS = graphql(`
  query ReceivingAccounts($mint: String) {
    receivingAccounts(mint: $mint) {
      asset { mint }
      count
      accounts { number address state isUsed balance }
    }
  }
`);

export const SET_RECEIVING_ACCOUNTS = graphql(`
  mutation SetReceivingAccounts($mint: String!, $count: Int!) {
    setReceivingAccounts(mint: $mint, count: $count) { count accounts { number state isUsed } }
  }
`);

export const CREATE_RECEIVING_ACCOUNTS = graphql(`
  mutation CreateReceivingAccounts($mint: String!) {
    receivingAccountsTransaction(mint: $mint) { receivingAccounts { count } transaction }
  }
`);

export const SWEEP_RECEIVING_ACCOUNTS = graphql(`
  mutation SweepReceivingAccounts($mint: String!) {
    sweepReceivingAccountsTransaction(mint: $mint) { receivingAccounts { count } transaction }
  }
`);
