import { useState } from 'react';
import { Card } from '../../../shared/components/card.tsx';
import { Facts } from '../../../shared/components/facts.tsx';
import { formatGrace } from '../../../shared/components/grace-field.tsx';
import { WriteButton } from '../../../shared/components/write-button.tsx';
import { grace as graceText } from '../../../shared/text/grace.ts';
import { plan as text } from '../../../shared/text/plan.ts';
import { retries } from '../../../shared/text/retries.ts';
import { FailedPaymentsDialog } from './failed-payments-dialog.tsx';
import { FeaturesDialog } from './features-dialog.tsx';
import type { PlanDetail } from './plan.ts';

interface AccessCardProps {
  readonly plan: PlanDetail;
  /** The grace of the environment, in seconds. */
  readonly ofEnvironment: number;
}

/** What a plan's subscribers may use, and for how long after a failed payment. */
export function AccessCard({ plan, ofEnvironment }: AccessCardProps) {
  const [opened, setOpened] = useState<'features' | 'failedPayments'>();
  const { features, graceSeconds, retryPolicy } = plan;
  const close = () => setOpened(undefined);
  return (
    <Card
      title={text.access}
      description={text.accessHint}
      actions={
        <span className="flex flex-wrap gap-2">
          <WriteButton onClick={() => setOpened('failedPayments')}>{text.changeFailedPayments}</WriteButton>
          <WriteButton onClick={() => setOpened('features')}>{text.editFeatures}</WriteButton>
        </span>
      }
    >
      <Facts
        facts={[
          {
            label: text.features,
            value:
              features.length === 0 ? (
                <span className="text-soft">{text.noFeatures}</span>
              ) : (
                <ul aria-label={text.features} className="grid gap-1">
                  {features.map(({ key, limit }) => (
                    <li key={key} className="wrap-anywhere">
                      <code className="font-mono text-[0.8125rem]">{key}</code>
                      {limit !== null && <span className="text-soft"> {text.featureLimit(limit)}</span>}
                    </li>
                  ))}
                </ul>
              ),
          },
          {
            label: retries.label,
            value: (
              <>
                {retries.names[retryPolicy]}. <span className="text-soft">{retries.hints[retryPolicy]}</span>
              </>
            ),
          },
          {
            label: graceText.label,
            value:
              graceSeconds === null
                ? graceText.ofEnvironment(formatGrace(ofEnvironment))
                : formatGrace(graceSeconds),
          },
        ]}
      />
      {opened === 'features' && <FeaturesDialog plan={plan} onClose={close} />}
      {opened === 'failedPayments' && (
        <FailedPaymentsDialog plan={plan} ofEnvironment={ofEnvironment} onClose={close} />
      )}
    </Card>
  );
}
