import { useQuery } from '@tanstack/react-query';
import { graphql } from '../../../shared/api/graphql.ts';
import { askOptions } from '../../../shared/api/query.ts';

const WALLET_STATE = graphql(/* GraphQL */ `
  query WalletStateNow($id: ID!) {
    subscription(id: $id) {
      walletState {
        balance
        approval
        frozen
        runwayPeriods
        checkedAt
      }
    }
  }
`);

/**
 * The current balance and approval of the customer's wallet. The API reads the chain for it, so
 * events do not refetch it.
 */
export function useWalletState(subscriptionId: string) {
  return useQuery(askOptions(WALLET_STATE, { id: subscriptionId }));
}
