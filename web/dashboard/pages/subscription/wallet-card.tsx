import { Badge } from '../../../shared/components/badge.tsx';
import { Button } from '../../../shared/components/button.tsx';
import { Card } from '../../../shared/components/card.tsx';
import { Facts } from '../../../shared/components/facts.tsx';
import { SkeletonRows } from '../../../shared/components/skeleton.tsx';
import { Amount } from '../../../shared/money/amount.tsx';
import { walletState as text } from '../../../shared/text/subscriptions.ts';
import { RelativeTime } from '../../../shared/time/time.tsx';
import type { SubscriptionDetail } from './subscription-detail.ts';
import { useWalletState } from './wallet-state.ts';

/** The current balance and approval of the customer's wallet, shown separately. */
export function WalletCard({ subscription }: { readonly subscription: SubscriptionDetail }) {
  const { lifeId, plan } = subscription;
  const { data, error, isFetching, refetch } = useWalletState(lifeId);
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
