import { posix } from 'node:path';
import { html, raw } from 'hono/html';
import { type BuiltFile, readBuiltFiles } from './built-files.ts';
import { slugOf } from './docs-addresses.ts';
import { BASE_STYLE, type Html, layout } from './docs-layout.ts';
import { type LinkTarget, renderMarkdown } from './docs-markdown.ts';
import { type DocsEntry, type DocsGroup, docsOrder } from './docs-order.ts';

const BASE = '/docs/';
const START = 'README.md';
/** What is served below `docs/`: pages and pictures. */
const SERVED = /\.(md|png|svg|webp)$/;

export const DOCS_STYLE = `${BASE_STYLE}
header{display:flex;gap:1.5rem;padding:.875rem 1.25rem;border-bottom:1px solid var(--line);background:var(--card)}
header a{color:inherit;text-decoration:none}header a:first-child{margin-right:auto;font-weight:600}
.page{max-width:74rem;margin:0 auto;padding:0 1.25rem}
main{min-width:0;max-width:48rem;padding:1rem 0 2rem}
h1,h2,h3,h4{line-height:1.25;letter-spacing:-.01em}h1{margin:1rem 0;font-size:2rem}h2{margin:2.25rem 0 .75rem}h3{margin:1.75rem 0 .5rem}
li+li{margin-top:.25rem}img{max-width:100%;border:1px solid var(--line);border-radius:.75rem}
code{font:.875em ui-monospace,SFMono-Regular,Menlo,monospace;background:var(--card);border:1px solid var(--line);border-radius:.3em;padding:.05em .3em}
pre{margin:0 0 1rem;padding:.875rem 1rem;overflow-x:auto;background:var(--card);border:1px solid var(--line);border-radius:.75rem}
pre code{padding:0;border:0;background:none}
.file{margin:1rem 0 .25rem;color:var(--soft);font:.8125rem ui-monospace,SFMono-Regular,Menlo,monospace}
.table{margin:0 0 1rem;overflow-x:auto}table{border-collapse:collapse;font-size:.9375rem;overflow-wrap:normal}
th,td{padding:.5rem .75rem;border-bottom:1px solid var(--line);text-align:left;vertical-align:top}th{color:var(--soft)}
img[src$="overview.webp"]{width:100%;aspect-ratio:1000/640}
#three-ways-in+ul{display:grid;gap:.75rem;list-style:none;margin:0;padding:0}
#three-ways-in+ul>li{min-width:0;margin:0;padding:0 1rem;background:var(--card);border:1px solid var(--line);border-radius:.75rem}
#three-ways-in+ul pre{padding:.625rem .75rem;background:var(--ground);white-space:pre-wrap}
blockquote{margin:0 0 1rem;padding-left:1rem;border-left:3px solid var(--line);color:var(--soft)}
.turn{display:flex;flex-wrap:wrap;justify-content:space-between;gap:.75rem;margin-top:2.5rem;padding-top:1rem;border-top:1px solid var(--line)}
#pages{padding:1rem 0 3rem;font-size:.9375rem}#pages h2{margin:1.25rem 0 .25rem;font-size:.8125rem;color:var(--soft)}
#pages ul{list-style:none;margin:0;padding:0}#pages ul ul{padding-left:.875rem}#pages li{margin:0}
#pages a,#pages summary{display:inline-block;padding:.25rem 0}#pages a{color:inherit;text-decoration:none}#pages a:hover{text-decoration:underline}
#pages [aria-current]{color:var(--accent);font-weight:600}
@media(min-width:60rem){.page{display:grid;grid-template-columns:15rem minmax(0,1fr);gap:3rem}#pages{grid-column:1;grid-row:1}main{grid-column:2;grid-row:1}.to-pages{display:none}}
`;

/** The files of a site, by their path. */
export type SiteFiles = Pick<ReadonlyMap<string, BuiltFile>, 'get' | 'size'>;

/**
 * Reads the Markdown of a folder and returns its files as a site: a page for each, in the order of
 * `README.md`, and the Markdown itself. A page is rendered when it is first requested. A folder that
 * does not exist gives no files.
 */
export function docsPages(folder: string): SiteFiles {
  const files = new Map([...readBuiltFiles(folder)].filter(([name]) => SERVED.test(name)));
  const texts = new Map(
    [...files]
      .filter(([name]) => name.endsWith('.md'))
      .map(([name, { content }]) => [name, new TextDecoder().decode(content)]),
  );
  const groups = docsOrder(texts);
  const order = [START, ...groups.flatMap(({ entries }) => entries.flatMap(filesOf))];
  const fileOf = new Map(
    [...texts.keys()].map((file) => [`${slugOf(file)}/index.html`.replace(/^\//, ''), file]),
  );
  const render = (path: string) => {
    const file = fileOf.get(path);
    const text = file && texts.get(file);
    if (file === undefined || text === undefined) return undefined;
    const body = raw(renderMarkdown(text, (link) => targetOf(link, file, files)));
    const index = order.indexOf(file);
    const around = [order[index - 1], order[index + 1]] as const;
    const page = pageOf({ file, body, around, groups, titleOf: (other) => titleOf(texts.get(other)) });
    files.set(path, page);
    return page;
  };
  return { size: files.size, get: (path) => files.get(path) ?? render(path) };
}

function filesOf({ file, inside }: DocsEntry): string[] {
  return [file, ...inside];
}

/** The target of a link on a page. What is outside of `docs/` is only named, with its path. */
function targetOf(link: string, from: string, files: ReadonlyMap<string, BuiltFile>): LinkTarget {
  if (/^https?:/.test(link)) return { href: link };
  const [relative = '', anchor] = link.split('#');
  const file = relative === '' ? from : posix.join(posix.dirname(from), relative);
  if (files.has(file)) return { href: `${addressOf(file)}${anchor === undefined ? '' : `#${anchor}`}` };
  return { path: posix.join('docs', file) };
}

function addressOf(file: string): string {
  if (!file.endsWith('.md')) return BASE + file;
  const slug = slugOf(file);
  return slug === '' ? BASE : `${BASE}${slug}/`;
}

function titleOf(text = ''): string {
  return /^# (.+)$/m.exec(text)?.[1]?.replaceAll('`', '') ?? 'Untitled';
}

interface DocsPage {
  readonly file: string;
  readonly body: Html;
  /** The page before and the page after it. */
  readonly around: readonly [string | undefined, string | undefined];
  readonly groups: readonly DocsGroup[];
  titleOf(file: string): string;
}

function pageOf({ file, body, around: [before, after], groups, titleOf }: DocsPage): BuiltFile {
  const linkTo = (other: string, label = titleOf(other)) =>
    html`<a href="${addressOf(other)}"${other === file ? raw(' aria-current="page"') : ''}>${label}</a>`;
  const entry = ({ file: first, inside }: DocsEntry) =>
    inside.length === 0
      ? html`<li>${linkTo(first)}</li>`
      : html`<li><details${[first, ...inside].includes(file) ? raw(' open') : ''}><summary>${titleOf(first)}</summary>
<ul>${[first, ...inside].map((other) => html`<li>${linkTo(other, other === first ? 'Overview' : undefined)}</li>`)}</ul></details></li>`;
  const page = layout(
    `${titleOf(file)} | dues`,
    DOCS_STYLE,
    html`<header><a href="${BASE}">dues documentation</a><a class="to-pages" href="#pages">All pages</a><a href="/">Start</a></header>
<div class="page"><main>
${body}
${file === START ? NOT_BUILT : ''}
<div class="turn"><span>${before === undefined ? '' : html`Before: ${linkTo(before)}`}</span>
<span>${after === undefined ? '' : html`Next: ${linkTo(after)}`}</span></div>
</main>
<nav id="pages" aria-label="All pages">
${groups.map(({ title, entries }) => html`<h2>${title}</h2><ul>${entries.map(entry)}</ul>`)}
</nav></div>`,
  );
  const content = new TextEncoder().encode(`${page}`);
  return { type: 'text/html; charset=utf-8', content, br: undefined, gzip: undefined };
}

const NOT_BUILT = html`<blockquote><p>These are the plain pages. <code>npm run site</code> in the source
builds them with a search and the reference of GraphQL and REST, which <a href="/openapi.json">/openapi.json</a>
describes too.</p></blockquote>`;
