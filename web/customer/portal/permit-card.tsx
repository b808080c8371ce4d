import type { SubscriptionDetailAnswer } from '../../../src/api/portal/answers.ts';
import { Card } from '../../shared/components/card.tsx';
import { formatAmount } from '../../shared/money/token-amount.ts';
import { portal } from '../../shared/text/portal.ts';
import { formatInterval } from '../../shared/time/duration.ts';
import { tokensOf } from './price.ts';

const text = portal.permits;

/** The customer's approval on chain: how much, how often, to whom, and with which account. */
export function PermitCard({ subscription }: { readonly subscription: SubscriptionDetailAnswer }) {
  const { discount, plan, merchant, authority, address, cluster, status } = subscription;
  const isOpen = status === 'ACTIVE' || status === 'PAST_DUE';
  const terms = [
    formatAmount(tokensOf(subscription, plan.maxAmount)),
    formatInterval(plan.intervalSeconds),
  ] as const;
  return (
    <Card title={text.title}>
      {isOpen ? (
        <>
          <p>{text.max(...terms)}</p>
          {BigInt(plan.maxAmount) > BigInt(discount?.fullAmount ?? plan.amount) && (
            <p>{text.abovePrice(merchant.name)}</p>
          )}
          <p>{text.to(merchant.name)}</p>
          <details className="mt-2">
            <summary className="w-fit cursor-pointer py-1 text-soft">{text.unlimited}</summary>
            <div className="mt-1 grid gap-2">
              {text.unlimitedAnswers(...terms, merchant.name).map((answer) => (
                <p key={answer}>{answer}</p>
              ))}
            </div>
          </details>
        </>
      ) : (
        <p>{text.ended}</p>
      )}
      <dl className="mt-3 grid gap-2">
        {[
          [text.subscription, address],
          [text.authority, authority],
        ].map(([label, value = '']) => (
          <div key={label} className="flex flex-wrap justify-between gap-x-4">
            <dt className="text-soft">{label}</dt>
            <dd>
              <OnChain path={`address/${value}`} cluster={cluster}>
                <code className="font-mono text-sm">{`${value.slice(0, 6)}…${value.slice(-4)}`}</code>
              </OnChain>
            </dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}

interface OnChainProps {
  /** `tx/<signature>` or `address/<address>` */
  readonly path: string;
  readonly cluster: SubscriptionDetailAnswer['cluster'];
  readonly children: React.ReactNode;
}

/** A link to a block explorer. */
export function OnChain({ path, cluster, children }: OnChainProps) {
  if (!cluster) return <>{children}</>;
  return (
    <a href={cluster.explorerUrl.replace('{path}', path)} target="_blank" rel="noreferrer">
      {children}
    </a>
  );
}
