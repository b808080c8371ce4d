import { graphql } from './generated/gql.ts';

export const WALLET_STATE = graphql(`
  query WalletStateOf($id: ID!) {
    subscription(id: $id) { id walletState { balance approval frozen runwayPeriods checkedAt } }
  }
`);

export const WALLET_STATES = graphql(`
  query WalletStates($first: Int!) {
    subscriptionsConnection(first: $first) { edges { node { id walletState { balance approval } } } }
  }
`);
