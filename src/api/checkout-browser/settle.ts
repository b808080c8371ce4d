import { CheckoutApi } from './checkout-api.ts';
import { forgetApproval, keptApproval } from './kept-approval.ts';
import { facts } from './page.ts';

// Runs in an expired checkout that is loaded again in the tab in which the customer approved in
// time. It reports the approval, because the service may not have seen it yet. The page reloads
// after a few seconds.

const approved = keptApproval();
if (approved !== null) {
  new CheckoutApi(facts.session ?? '').complete(approved).then(
    () => {
      forgetApproval();
      location.reload();
    },
    // Not seen yet, or not in time: the reloaded page shows which.
    () => undefined,
  );
}
