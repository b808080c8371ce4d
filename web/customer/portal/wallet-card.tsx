import type { SubscriptionDetailAnswer } from '../../../src/api/portal/answers.ts';
import { Card } from '../../shared/components/card.tsx';
import { formatAmount } from '../../shared/money/token-amount.ts';
import { portal } from '../../shared/text/portal.ts';
import { CopiedText } from '../shared/copied-text.tsx';
import { formatDate } from '../shared/dates.ts';
import { tokensOf } from './price.ts';

const text = portal.wallet;

/** The wallet's balance, how long it lasts, and what prevents payments. */
export function WalletCard({ subscription }: { readonly subscription: SubscriptionDetailAnswer }) {
  const { wallet, walletAddress } = subscription;
  return (
    <Card title={text.title}>
      {wallet ? (
        <WalletState subscription={subscription} wallet={wallet} />
      ) : (
        <p className="text-soft">{text.unread}</p>
      )}
      <dl className="mt-3 grid gap-2">
        {wallet?.balance != null && (
          <div className="flex flex-wrap justify-between gap-x-4">
            <dt className="text-soft">{text.balance}</dt>
            <dd className="tabular-nums">{formatAmount(tokensOf(subscription, wallet.balance))}</dd>
          </div>
        )}
        <div className="flex flex-wrap items-center justify-between gap-x-4">
          <dt className="text-soft">{text.address}</dt>
          <dd>
            <CopiedText value={walletAddress} />
          </dd>
        </div>
      </dl>
    </Card>
  );
}

type Wallet = NonNullable<SubscriptionDetailAnswer['wallet']>;

/** Says whether the wallet can pay. A missing approval is never reported as a low balance. */
function WalletState({
  subscription,
  wallet,
}: {
  readonly subscription: SubscriptionDetailAnswer;
  readonly wallet: Wallet;
}) {
  const { balance, approval, frozen, runwayPeriods, runwayUntil } = wallet;
  if (frozen) return <p className="text-bad">{text.frozen}</p>;
  if (balance === null) return <p className="text-bad">{text.closed}</p>;
  if (approval === 'REVOKED') return <p className="text-bad">{text.revoked}</p>;
  if (approval === 'REPLACED') return <p className="text-bad">{text.replaced}</p>;
  if (approval === 'CLOSED') return <p className="text-bad">{text.gone}</p>;
  if (runwayPeriods === 0 || runwayUntil === null) {
    const missing = String(BigInt(subscription.plan.amount) - BigInt(balance));
    return <p className="text-warn">{text.short(formatAmount(tokensOf(subscription, missing)))}</p>;
  }
  return <p>{text.enough(runwayPeriods, formatDate(runwayUntil))}</p>;
}
