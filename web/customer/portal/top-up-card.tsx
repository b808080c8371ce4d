import { useEffect, useState } from 'react';
import type { SubscriptionDetailAnswer } from '../../../src/api/portal/answers.ts';
import { toDecimal } from '../../../src/domain/catalog/money/decimal-amount.ts';
import { Button, buttonClass } from '../../shared/components/button.tsx';
import { Card } from '../../shared/components/card.tsx';
import { Field } from '../../shared/components/field.tsx';
import { Icon } from '../../shared/components/icon.tsx';
import { QrCode } from '../../shared/components/qr-code.tsx';
import { formatAmount, unitOf } from '../../shared/money/token-amount.ts';
import { portal } from '../../shared/text/portal.ts';
import { CopiedText } from '../shared/copied-text.tsx';
import type { RouteAnswer } from '../shared/use-answer.ts';
import { amountOf, tokensOf } from './price.ts';
import { WalletCard } from './wallet-card.tsx';

const text = portal.topUp;
const POLL_INTERVAL_MS = 3_000;
const COUNTS = [1, 3, 6, 12] as const;

interface TopUpCardProps {
  readonly subscription: SubscriptionDetailAnswer;
  readonly answer: RouteAnswer<SubscriptionDetailAnswer>;
  readonly onClose?: (() => void) | undefined;
}

/** Shows how to send money to the paying wallet, and says when it has arrived. */
export function TopUpCard({ subscription, answer, onClose }: TopUpCardProps) {
  const { plan, walletAddress, wallet } = subscription;
  const [count, setCount] = useState(3);
  // Null until the wallet has been read.
  const [before, setBefore] = useState<bigint | null>(null);
  const balance = wallet ? BigInt(wallet.balance ?? 0) : null;
  if (before === null && balance !== null) setBefore(balance);
  const { reload } = answer;
  useEffect(() => {
    const poll = setInterval(() => {
      if (document.visibilityState === 'visible') void reload();
    }, POLL_INTERVAL_MS);
    return () => clearInterval(poll);
  }, [reload]);
  const hasArrived = before !== null && balance !== null && balance > before;
  const amount = amountOf(subscription, count);
  // https://docs.solanapay.com/spec#specification-transfer-request
  const query = new URLSearchParams({ amount: toDecimal(BigInt(amount), plan.asset.decimals ?? 0) });
  query.set('spl-token', plan.asset.mint);
  const url = `solana:${walletAddress}?${query}`;
  return (
    <>
      <WalletCard subscription={subscription} />
      <Card title={text.title} description={text.hint(unitOf(tokensOf(subscription)))}>
        {hasArrived && (
          <p role="status" className="mb-3 flex items-center gap-2 text-good">
            <Icon name="check" className="size-5" />
            {text.arrived}
          </p>
        )}
        <div className="grid gap-4">
          <Field label={text.count}>
            {(control) => (
              <select
                {...control}
                value={String(count)}
                onChange={(event) => setCount(Number(event.currentTarget.value))}
                className={`${control.className} min-h-11`}
              >
                {COUNTS.map((payments) => (
                  <option key={payments} value={String(payments)}>
                    {text.payments(
                      payments,
                      formatAmount(tokensOf(subscription, amountOf(subscription, payments))),
                    )}
                  </option>
                ))}
              </select>
            )}
          </Field>
          <QrCode text={url} label={text.qr} />
          <dl className="grid gap-2">
            <div>
              <dt className="text-soft">{text.to}</dt>
              <dd>
                <CopiedText value={walletAddress} isWhole />
              </dd>
            </div>
            <div>
              <dt className="text-soft">{text.token}</dt>
              <dd>
                <CopiedText value={plan.asset.mint} isWhole />
              </dd>
            </div>
          </dl>
          <div className="flex flex-wrap gap-2">
            <a href={url} className={buttonClass('primary', 'min-h-11 px-4')}>
              {text.open}
            </a>
            {onClose && (
              <Button className="min-h-11 px-4" onClick={onClose}>
                {text.close}
              </Button>
            )}
          </div>
        </div>
      </Card>
    </>
  );
}
