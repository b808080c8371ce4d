// The script of a completed checkout whose first payment is being collected. It shows the newest
// result of the page without a reload. The links stay, so that the focus on one of them is kept.

const POLL_INTERVAL_MS = 3_000;
/** Maximum interval between requests. The interval grows while the page cannot be read. */
const MAX_INTERVAL_MS = 60_000;

const part = (page: Document, name: string) => page.querySelector(`[data-part="${name}"]`);
const result = part(document, 'result');
const links = part(document, 'links');
let waitMs = POLL_INTERVAL_MS;

async function update(): Promise<void> {
  const html = await fetch(location.href, { cache: 'no-store' }).then(
    (answer) => (answer.ok ? answer.text() : ''),
    () => '',
  );
  const page = new DOMParser().parseFromString(html, 'text/html');
  const next = part(page, 'result');
  if (next && next.innerHTML !== result?.innerHTML) {
    result?.replaceChildren(...next.childNodes);
    const shown = new Set(Array.from(links?.querySelectorAll('a') ?? [], ({ href }) => href));
    for (const item of part(page, 'links')?.querySelectorAll('li') ?? []) {
      if (!shown.has(item.querySelector('a')?.href ?? '')) links?.prepend(item);
    }
  }
  if (next && !next.hasAttribute('data-collecting')) return;
  waitMs = next ? POLL_INTERVAL_MS : Math.min(2 * waitMs, MAX_INTERVAL_MS);
  setTimeout(update, waitMs);
}

setTimeout(update, POLL_INTERVAL_MS);
