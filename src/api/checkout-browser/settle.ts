import { CheckoutApi } from './checkout-api.ts';
import { forgetApproval, keptApproval } from './kept-approval.ts';
import { facts } from './page.ts';

// The script of an expired checkout. If the customer approved in this tab before the checkout
// expired, it reports the approval, because the service may not have seen it yet. The page reloads
// after a few seconds.

const approved = keptApproval();
if (approved !== null) {
  new CheckoutApi(facts.session ?? '').report(approved).then(
    ({ status }) => {
      if (status === 'confirming') return;
      forgetApproval();
      location.reload();
    },
    // The approval was not seen yet, or not in time: the reloaded page shows which.
    () => undefined,
  );
}
