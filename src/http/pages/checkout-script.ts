/**
 * Counts down, asks how the checkout stands, and goes on once it is over. All that it needs stands in the page: the
 * elements' data, written there by `checkout-page.ts`. Without scripts the page says when it ends and reloads itself.
 *
 * The time that is left is counted from when the page came, never from the browser's clock, which may be wrong.
 */
export const CHECKOUT_SCRIPT = `
const main = document.querySelector('main');
const left = document.querySelector('[data-left]');
const end = performance.now() + 1000 * Number(main.dataset.secondsLeft);

function tick() {
  const seconds = Math.max(0, Math.ceil((end - performance.now()) / 1000));
  left.textContent = Math.floor(seconds / 60) + ':' + String(seconds % 60).padStart(2, '0');
  if (seconds > 0) setTimeout(tick, 1000);
}

async function look() {
  try {
    const answer = await fetch(main.dataset.session, { cache: 'no-store', credentials: 'omit' });
    if (answer.ok) {
      const { status, redirectUrl } = await answer.json();
      if (status === 'completed' && redirectUrl) return location.replace(redirectUrl);
      if (status !== 'open') return location.reload();
    }
  } catch {
    // No network just now: asked again.
  }
  setTimeout(look, 3000);
}

tick();
setTimeout(look, 3000);
`;
