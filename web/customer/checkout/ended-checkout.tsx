import { useEffect } from 'react';
import type { EndedCheckoutData } from '../../../src/api/pages/page-data.ts';
import { Spinner } from '../../shared/components/button.tsx';
import { checkout } from '../../shared/text/checkout.ts';
import type { PageView } from '../shared/document.tsx';
import { CheckoutApi } from './checkout-api.ts';
import { CheckoutCard, documentOf } from './checkout-card.tsx';
import { forgetApproval, keptApproval } from './kept-approval.ts';

const text = checkout.ended;

/** A checkout that has ended without a subscription. Until its result is known, it reloads itself. */
export const endedCheckout: PageView<EndedCheckoutData> = {
  ...documentOf,
  reloadSeconds: ({ isSettling }) => (isSettling ? 3 : undefined),
  hasScript: ({ walletConnected }) => walletConnected,
  Content: EndedCheckout,
};

function EndedCheckout(data: EndedCheckoutData) {
  const { sessionId, company, cancelUrl, isSettling, walletConnected } = data;
  useEffect(() => void reportApproval(sessionId), [sessionId]);
  return (
    <CheckoutCard
      data={data}
      cancel={
        cancelUrl !== null && (
          <p>
            <a href={cancelUrl}>{checkout.back(company.name)}</a>
          </p>
        )
      }
    >
      <section role="status" className="text-center">
        {isSettling ? (
          <>
            <p className="mb-3 text-accent">
              <Spinner className="size-8" />
            </p>
            <h2 className="font-semibold">{text.settling}</h2>
            <p className="mt-2 text-soft">{text.settlingHint}</p>
          </>
        ) : (
          <>
            <h2 className="font-semibold">{text.expired}</h2>
            <p className="mt-2 text-soft">
              {text.startAgain(company.name)}
              {walletConnected && ` ${text.unsure}`}
            </p>
          </>
        )}
      </section>
    </CheckoutCard>
  );
}

/**
 * If the customer approved in this tab before the checkout expired, reports the approval, because the
 * service may not have seen it yet.
 */
async function reportApproval(sessionId: string): Promise<void> {
  const approved = keptApproval(sessionId);
  if (approved === null) return;
  try {
    const { status } = await new CheckoutApi(sessionId).report(approved);
    if (status === 'confirming') return;
    forgetApproval(sessionId);
    location.reload();
  } catch {
    // The approval was not seen yet, or not in time: the reloaded page shows which.
  }
}
