import type { OpenCheckoutData } from '../../../src/api/pages/page-data.ts';
import { Button } from '../../shared/components/button.tsx';
import { checkout } from '../../shared/text/checkout.ts';
import { inSol, inToken } from './amounts.ts';
import { Facts } from './checkout-card.tsx';
import type { CheckoutFlow, CheckoutState } from './checkout-flow.ts';
import { StepTitle } from './step-title.tsx';
import { minuteText } from './terms.tsx';
import { TopUp } from './top-up.tsx';

const text = checkout.review;

interface ReviewProps {
  readonly data: OpenCheckoutData;
  readonly flow: CheckoutFlow;
  readonly state: CheckoutState;
}

/** The chosen wallet, what it has and pays, and any obstacle to an approval. */
export function Review({ data, flow, state: { chosen, terms, missing, canApprove } }: ReviewProps) {
  const { offer } = data;
  if (!chosen) return null;
  const { address } = chosen.account;
  return (
    <section className="min-h-48">
      <StepTitle>{text.title}</StepTitle>
      <Facts>
        <dt>{chosen.wallet.name}</dt>
        <dd>
          <code className="text-sm">{`${address.slice(0, 6)}…${address.slice(-4)}`}</code>
        </dd>
        {terms && (
          <>
            <dt>{text.balance}</dt>
            <dd data-part="balance">{inToken(offer, terms.balance.amount)}</dd>
            <dt>{text.dueNow}</dt>
            <dd data-part="due-now">{terms.dueNow === '0' ? text.nothing : inToken(offer, terms.dueNow)}</dd>
            <dt>{text.nextPayment}</dt>
            <dd data-part="next-payment">{minuteText(terms.nextPaymentDate)}</dd>
            <dt>{text.networkFee}</dt>
            <dd data-part="network-fee">{terms.sponsored ? text.sponsored : inSol(terms.costs.fee)}</dd>
            {terms.costs.deposits !== '0' && (
              <>
                <dt>{text.deposits}</dt>
                <dd data-part="deposits">{inSol(terms.costs.deposits)}</dd>
              </>
            )}
          </>
        )}
      </Facts>
      {terms && canApprove && !terms.balance.sufficient && (
        <p className="mt-4 rounded-md bg-warn-ground px-3 py-2 text-warn">
          {text.recommended(inToken(offer, terms.balance.recommended))}
        </p>
      )}
      {missing && <TopUp data={data} address={address} missing={missing} />}
      <div className="mt-4 grid gap-2">
        {canApprove ? (
          <Button kind="primary" className="min-h-11 w-full" onClick={() => void flow.approve()}>
            {text.approve}
          </Button>
        ) : (
          <Button kind="primary" className="min-h-11 w-full" onClick={() => void flow.review()}>
            {text.again}
          </Button>
        )}
        <Button kind="plain" className="min-h-11" onClick={() => flow.chooseAnother()}>
          {text.other}
        </Button>
      </div>
    </section>
  );
}
