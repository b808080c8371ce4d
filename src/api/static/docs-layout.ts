import { html, raw } from 'hono/html';

export type Html = ReturnType<typeof html>;

/** Colours and fonts of the plain pages of the documentation, for light and dark mode. */
export const BASE_STYLE = `
:root{color-scheme:light dark;--ground:#f5f6f8;--card:#fff;--ink:#14171f;--soft:#5a6172;--line:#e0e3ea;--accent:#4338ca}
@media(prefers-color-scheme:dark){:root{--ground:#0e1016;--card:#171a23;--ink:#eceef4;--soft:#a2a9ba;--line:#2b303d;--accent:#a5b4fc}}
*{box-sizing:border-box}
body{margin:0;background:var(--ground);color:var(--ink);font:16px/1.5 -apple-system,'Segoe UI',Roboto,'Noto Sans','Liberation Sans',Arial,sans-serif;overflow-wrap:anywhere}
a{color:var(--accent)}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
`;

/** Renders a complete HTML page. */
export function layout(title: string, style: string, body: Html): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<title>${title}</title>
<link rel="icon" href="/icon.svg" type="image/svg+xml">
<style>${raw(style)}</style>
</head>
<body>
${body}
</body>
</html>`;
}
