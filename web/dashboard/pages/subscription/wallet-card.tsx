import { useQuery } from '@tanstack/react-query';
import { graphql } from '../../../shared/api/graphql.ts';
import { askOptions } from '../../../shared/api/query.ts';
import { Badge } from '../../../shared/components/badge.tsx';
import { Button } from '../../../shared/components/button.tsx';
import { Card } from '../../../shared/components/card.tsx';
import { Facts } from '../../../shared/components/facts.tsx';
import { SkeletonRows } from '../../../shared/components/skeleton.tsx';
import { Amount } from '../../../shared/money/amount.tsx';
import { walletState as text } from '../../../shared/text/subscriptions.ts';
import { RelativeTime } from '../../../shared/time/time.tsx';
import type { SubscriptionDetail } from './subscription-detail.ts';

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

/** The current balance and approval of the customer's wallet, shown separately. */
export function WalletCard({ subscription }: { readonly subscription: SubscriptionDetail }) {
  const { lifeId, plan } = subscription;
  // The API reads the chain for this query, so events do not refetch it.
  const { data, error, isFetching, refetch } = useQuery(askOptions(WALLET_STATE, { id: lifeId }));
  const state = data?.subscription?.walletState;
  return (
    <Card
      title={text.title}
      description={text.hint}
      actions={
        <Button kind="plain" icon="refresh" busy={isFetching} onClick={() => void refetch()}>
          {text.refresh}
        </Button>
      }
    >
      {!data && !error ? (
        <SkeletonRows rows={3} />
      ) : !state ? (
        <p className="text-soft">{text.unreadable}</p>
      ) : (
        <Facts
          facts={[
            {
              label: text.approval,
              value: (
                <>
                  <Badge tone={state.approval === 'OK' ? 'good' : 'bad'}>
                    {text.approvals[state.approval]}
                  </Badge>
                  <span className="mt-1 block text-xs text-soft">{text.approvalHints[state.approval]}</span>
                </>
              ),
            },
            {
              label: text.balance,
              value:
                state.balance === null ? (
                  text.noAccount
                ) : (
                  <>
                    <Amount amount={state.balance} mint={plan.mint} asset={plan.asset} />
                    {state.frozen && (
                      <span className="mt-1 block">
                        <Badge tone="bad">{text.frozen}</Badge>
                      </span>
                    )}
                  </>
                ),
            },
            // A balance that cannot be collected pays for nothing.
            {
              label: text.runway,
              value: state.approval === 'OK' && !state.frozen && text.payments(state.runwayPeriods),
            },
            { label: text.checked, value: <RelativeTime at={state.checkedAt} /> },
          ]}
        />
      )}
    </Card>
  );
}
