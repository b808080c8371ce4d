import { Link } from '@tanstack/react-router';
import { Card } from '../../../shared/components/card.tsx';
import { CopyButton } from '../../../shared/components/copy-button.tsx';
import { Facts } from '../../../shared/components/facts.tsx';
import { OnChain } from '../../../shared/components/on-chain.tsx';
import { formatSpread } from '../../../shared/components/spread-field.tsx';
import { Amount } from '../../../shared/money/amount.tsx';
import { formatAmount } from '../../../shared/money/token-amount.ts';
import { plan as text } from '../../../shared/text/plan.ts';
import { spread } from '../../../shared/text/spread.ts';
import { formatDuration, formatInterval } from '../../../shared/time/duration.ts';
import { Time } from '../../../shared/time/time.tsx';
import type { PlanDetail } from './plan.ts';

/** The terms of a plan, and its addresses on chain. */
export function PlanTerms({ plan }: { readonly plan: PlanDetail }) {
  const { planId, amount, maxAmount, mint, asset, interval, trialPeriodSeconds, address, merchant } = plan;
  const { createdAt, publishedAt, endsAt, description, imageUrl, status, collectWithinSeconds } = plan;
  return (
    <Card
      title={text.terms}
      actions={
        status !== 'DRAFT' && (
          <Link to="/" search={{ plan: planId }} className="text-accent">
            {text.metrics}
          </Link>
        )
      }
    >
      {imageUrl && <img src={imageUrl} alt="" className="mb-4 max-h-32 rounded-md object-contain" />}
      <Facts
        facts={[
          { label: text.price, value: <Amount amount={amount} mint={mint} asset={asset} /> },
          {
            label: text.limit,
            value: text.atMost(formatAmount({ amount: maxAmount, mint, asset }), formatInterval(interval)),
          },
          { label: text.interval, value: formatInterval(interval) },
          { label: text.trial, value: trialPeriodSeconds > 0 && formatDuration(trialPeriodSeconds) },
          { label: spread.label, value: collectWithinSeconds > 0 && formatSpread(collectWithinSeconds) },
          { label: text.description, value: description },
          {
            label: text.planId,
            value: (
              <span className="inline-flex items-center gap-0.5">
                <code className="font-mono text-[0.8125rem]">{planId}</code>
                <CopyButton text={planId} />
              </span>
            ),
          },
          {
            label: text.token,
            value: (
              <span className="inline-flex flex-wrap items-center gap-x-1">
                {asset.symbol} <OnChain kind="address" value={mint} />
              </span>
            ),
          },
          { label: text.paidTo, value: <OnChain kind="address" value={merchant.walletAddress} /> },
          {
            label: text.account,
            value: status !== 'DRAFT' && <OnChain kind="address" value={address} />,
          },
          { label: text.createdAt, value: <Time at={createdAt} /> },
          { label: text.publishedAt, value: publishedAt && <Time at={publishedAt} /> },
          { label: text.endsAt, value: endsAt && <Time at={endsAt} /> },
        ]}
      />
    </Card>
  );
}
