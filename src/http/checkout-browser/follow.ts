import { type CheckoutApi, Refused } from './checkout-api.ts';
import { facts, part, showProblem, showStep } from './page.ts';

const ASK_EVERY_MS = 3_000;
/** Where there is no answer, less and less often, down to this. */
const ASK_AT_LEAST_EVERY_MS = 60_000;
/** Long enough to read that it went well. */
const STAY_MS = 1_500;

/** Whether a transaction is out, or may be (a wallet is asked), that completes the checkout although its time is over. */
export const approval = { isUnderWay: false };
let isOver = false;

/**
 * Counts down what is left of the checkout, and asks how it stands: the app may complete it, or the service on its own. The
 * time is counted from when the page came, never from the browser's clock, which may be wrong.
 */
export function followCheckout(api: CheckoutApi): void {
  const end = performance.now() + 1000 * Number(facts.secondsLeft);
  const left = part('left');
  const tick = () => {
    const seconds = Math.max(0, Math.ceil((end - performance.now()) / 1000));
    left.textContent = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
    if (seconds > 0) setTimeout(tick, 1000);
  };
  let waitMs = ASK_EVERY_MS;
  const look = async () => {
    if (isOver) return;
    try {
      const { status, redirectUrl } = await api.standing();
      waitMs = ASK_EVERY_MS;
      if (status === 'completed') return succeed(redirectUrl);
      if (status === 'expired' && !approval.isUnderWay) return location.reload();
    } catch (error) {
      if (error instanceof Refused && error.code === 'not_found') return;
      // No network, or a service in trouble.
      waitMs = Math.min(2 * waitMs, ASK_AT_LEAST_EVERY_MS);
    }
    setTimeout(look, waitMs);
  };
  tick();
  setTimeout(look, ASK_EVERY_MS);
}

/** The customer is subscribed, and goes on to where the merchant wants them. */
export function succeed(redirectUrl: string | null): void {
  if (isOver) return;
  isOver = true;
  showProblem(null);
  for (const each of document.querySelectorAll<HTMLElement>('[data-while-open]')) each.hidden = true;
  const goOn = part<HTMLAnchorElement>('go-on');
  goOn.hidden = redirectUrl === null;
  part('done-words').hidden = redirectUrl === null;
  showStep('done');
  if (redirectUrl === null) return;
  goOn.href = redirectUrl;
  setTimeout(() => location.replace(redirectUrl), STAY_MS);
}
