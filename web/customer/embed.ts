// Turns links to payment links in a merchant's page into buttons. It needs no inline script or
// style: a strict policy of that page has to allow this file in `script-src` and nothing else.
// Without this script the links still work.
//
//   <script src="https://dues.example/embed.js" async></script>
//   <a class="dues-button" href="https://dues.example/pay/7d3f0c52-..." data-mode="popup">Subscribe</a>

(() => {
  const script = document.currentScript;
  if (!(script instanceof HTMLScriptElement)) return;
  const links = `${new URL(script.src).origin}/pay/`;
  const size = 'popup,width=480,height=820';

  const sheet = new CSSStyleSheet();
  sheet.replaceSync(
    `:where(a.dues-button){display:inline-block;padding:.75em 1.5em;border-radius:.75em;background:#4338ca;color:#fff;font:600 1em/1.4 -apple-system,'Segoe UI',Roboto,'Noto Sans','Liberation Sans',Arial,sans-serif;text-decoration:none}
:where(a.dues-button:hover){background:#3730a3}
:where(a.dues-button:focus-visible){outline:3px solid #4338ca;outline-offset:2px}`,
  );
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];

  // One listener for the whole page, so that links that are added later work too.
  document.addEventListener('click', (event) => {
    if (event.defaultPrevented || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey)
      return;
    const { target } = event;
    const link = target instanceof Element ? target.closest<HTMLAnchorElement>('a.dues-button') : null;
    if (!link?.href.startsWith(links) || link.dataset.mode !== 'popup') return;
    // A browser that blocks the window follows the link instead.
    if (window.open(link.href, 'dues', size)) event.preventDefault();
  });
})();
