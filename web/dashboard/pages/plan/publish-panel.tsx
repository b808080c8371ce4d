import { ask } from '../../../shared/api/ask.ts';
import { graphql } from '../../../shared/api/graphql.ts';
import { Card } from '../../../shared/components/card.tsx';
import { SignTransaction } from '../../../shared/components/sign-transaction.tsx';
import { formatAmount } from '../../../shared/money/token-amount.ts';
import { plan as text } from '../../../shared/text/plan.ts';
import { signing } from '../../../shared/text/signing.ts';
import type { PlanDetail } from './plan.ts';
import { Preview } from './preview.tsx';
import { PlanSteps } from './steps.tsx';
import { PlanTerms } from './terms.tsx';

const PUBLISH = graphql(/* GraphQL */ `
  mutation PublishPlan($planId: String!) {
    publishPlanTransaction(planId: $planId) {
      transaction
    }
  }
`);

/** A draft: its terms, and the signature that publishes them. */
export function PublishPanel({ plan }: { readonly plan: PlanDetail }) {
  const {
    planId,
    name,
    description,
    amount,
    maxAmount,
    mint,
    asset,
    interval,
    trialPeriodSeconds,
    merchant,
  } = plan;
  return (
    <>
      <PlanSteps current="sign" />
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_22rem]">
        <div className="grid gap-4">
          <Card title={text.publishTitle} description={text.publishHint}>
            <SignTransaction
              signer={merchant.walletAddress}
              action={text.publish}
              effect={text.publishEffect}
              readTransaction={async () =>
                (await ask(PUBLISH, { planId })).publishPlanTransaction.transaction
              }
            />
            <p className="mt-3 text-xs text-soft">
              {text.fixedHint} {signing.fee}
            </p>
          </Card>
          <PlanTerms plan={plan} />
        </div>
        <Preview
          name={name}
          description={description ?? ''}
          price={formatAmount({ amount, mint, asset })}
          limit={formatAmount({ amount: maxAmount, mint, asset })}
          isAbovePrice={BigInt(maxAmount) > BigInt(amount)}
          intervalSeconds={interval}
          trialPeriodSeconds={trialPeriodSeconds}
        />
      </div>
    </>
  );
}
