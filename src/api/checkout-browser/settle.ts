import { CheckoutApi } from './checkout-api.ts';
import { forgetApproval, keptApproval } from './kept-approval.ts';
import { facts } from './page.ts';

// A checkout whose time is over, loaded again in the tab that approved in time. It reports the
// approval: the service may not have seen it yet. The page loads itself again after a few seconds.

const approved = keptApproval();
if (approved !== null) {
  new CheckoutApi(facts.session ?? '').complete(approved).then(
    () => {
      forgetApproval();
      location.reload();
    },
    // Not seen yet, or not in time: the page says which.
    () => undefined,
  );
}
