// The script of a completed checkout whose first payment is being collected. It shows the newest
// result of the page without a reload, which would lose the focus.

const POLL_INTERVAL_MS = 3_000;

const result = document.querySelector('[data-part="result"]');

async function update(): Promise<void> {
  const html = await fetch(location.href, { cache: 'no-store' }).then(
    (answer) => (answer.ok ? answer.text() : ''),
    () => '',
  );
  const next = new DOMParser().parseFromString(html, 'text/html').querySelector('[data-part="result"]');
  if (next && next.innerHTML !== result?.innerHTML) result?.replaceChildren(...next.childNodes);
  if (!next || next.hasAttribute('data-collecting')) setTimeout(update, POLL_INTERVAL_MS);
}

setTimeout(update, POLL_INTERVAL_MS);
