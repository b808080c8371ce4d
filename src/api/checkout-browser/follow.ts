import { type CheckoutApi, Refused } from './checkout-api.ts';
import { facts, part, showProblem, showStep } from './page.ts';

const POLL_INTERVAL_MS = 3_000;
/** Maximum interval between requests. The interval grows while requests fail. */
const MAX_INTERVAL_MS = 60_000;
/** Time that the success message is shown before the redirect. */
const SUCCESS_SHOWN_MS = 1_500;

/** Whether a transaction that completes the checkout was sent or may have been sent. */
export const approval = { isInFlight: false };
/** Whether the customer has chosen a wallet in this browser. */
export const walletOfPage = { isChosen: false };
let isOver = false;
let redirectTimer: ReturnType<typeof setTimeout> | undefined;

/**
 * Counts down the remaining time of the checkout and polls its status, because an app or the
 * service may complete it. The time is measured from the load of the page, never by the browser's
 * clock, which may be wrong.
 */
export function followCheckout(api: CheckoutApi): void {
  const end = performance.now() + 1000 * Number(facts.secondsLeft);
  const left = part('left');
  const tick = () => {
    const seconds = Math.max(0, Math.ceil((end - performance.now()) / 1000));
    left.textContent = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
    if (seconds > 0) setTimeout(tick, 1000);
  };
  let waitMs = POLL_INTERVAL_MS;
  const checkStatus = async () => {
    if (isOver) return;
    try {
      const { status, redirectUrl, walletConnected } = await api.readStatus();
      waitMs = POLL_INTERVAL_MS;
      if (status === 'completed') return succeed(redirectUrl);
      // A wallet on a phone may have requested the transactions. The hint is hidden while a wallet
      // of this browser is in use.
      part('asked').hidden = !walletConnected || walletOfPage.isChosen;
      if (status === 'expired' && !approval.isInFlight) return location.reload();
    } catch (error) {
      if (error instanceof Refused && error.code === 'not_found') return;
      // There is no network, or the service has an error.
      waitMs = Math.min(2 * waitMs, MAX_INTERVAL_MS);
    }
    setTimeout(checkStatus, waitMs);
  };
  tick();
  setTimeout(checkStatus, POLL_INTERVAL_MS);
}

/**
 * Shows success, and leaves the page: to the merchant's URL, or to this one again, on which the
 * server then shows what was paid. It stays while a wallet is still asked here, which may subscribe
 * too.
 */
export function succeed(redirectUrl: string | null): void {
  if (!isOver) {
    endCheckout();
    part('done-words').hidden = redirectUrl === null;
    if (redirectUrl !== null) part<HTMLAnchorElement>('go-on').href = redirectUrl;
    showStep('done');
  }
  if (redirectTimer !== undefined) return;
  if (redirectUrl !== null) {
    redirectTimer = setTimeout(() => location.replace(redirectUrl), SUCCESS_SHOWN_MS);
  } else if (!approval.isInFlight) location.reload();
}

/**
 * Shows that another wallet has completed the checkout, and where this one gets its deposit back.
 */
export function offerToClose(): void {
  clearTimeout(redirectTimer);
  endCheckout();
  showStep('other');
}

function endCheckout(): void {
  isOver = true;
  showProblem(null);
  for (const element of document.querySelectorAll<HTMLElement>('[data-while-open]')) element.hidden = true;
}
