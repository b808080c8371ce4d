import { fileURLToPath } from 'node:url';
import type { Hono } from 'hono';
import { html } from 'hono/html';
import { notFound } from '../../errors.ts';
import type { ApiEnv } from '../http/api-env.ts';
import { secureHeaders } from '../http/secure-headers.ts';
import { BASE_STYLE, layout } from '../pages/layout.ts';
import { hashOf, securityPolicy } from '../pages/security-policy.ts';
import { type BuiltFile, readBuiltFiles } from './built-files.ts';
import { sendFile } from './send-file.ts';

const path = (relative: string) => fileURLToPath(new URL(`../../../${relative}`, import.meta.url));
const SITE = path('dist/site');
const SOURCES = path('docs');
/** Files whose names change with their content. */
const HASHED = /^(_astro|pagefind\/(fragment|index))\//;

/**
 * Serves the documentation: the built site or, if it is not built, the Markdown files and a page
 * that says how to build it. The files are the same for all callers, so they are served before the
 * caller is identified, and count against no limit.
 */
export function routeDocsSite(
  router: Hono<ApiEnv>,
  { folder = SITE, sources = SOURCES }: { readonly folder?: string; readonly sources?: string } = {},
): void {
  const files = folder === SITE ? builtSite() : readBuiltFiles(folder);
  const isBuilt = files.has('index.html');
  const served = isBuilt ? files : markdownIn(sources);
  const policies = new Map<BuiltFile, string>();
  router.get('/docs/:path{.*}?', secureHeaders, (c) => {
    const requested = c.req.path.slice('/docs/'.length);
    if (requested === '' && !isBuilt) {
      c.header('Content-Security-Policy', NOT_BUILT_POLICY);
      return c.html(notBuiltPage([...served.keys()].sort()));
    }
    const file =
      served.get(requested) ?? served.get(`${requested.replace(/\/$/, '')}/index.html`.replace(/^\//, ''));
    if (file) {
      if (isPage(file)) c.header('Content-Security-Policy', policyOf(file, policies));
      return sendFile(c, file, HASHED.test(requested) ? 'immutable' : 'checked');
    }
    const missing = served.get('404.html');
    if (!missing) throw notFound('file');
    c.header('Content-Security-Policy', policyOf(missing, policies));
    c.status(404);
    return sendFile(c, missing, 'checked');
  });
}

/** Reads the built site once, because a process has several routers. */
function builtSite(): ReadonlyMap<string, BuiltFile> {
  built ??= readBuiltFiles(SITE);
  return built;
}

let built: ReadonlyMap<string, BuiltFile> | undefined;

function markdownIn(folder: string): ReadonlyMap<string, BuiltFile> {
  return new Map([...readBuiltFiles(folder)].filter(([name]) => name.endsWith('.md')));
}

function isPage({ type }: BuiltFile): boolean {
  return type.startsWith('text/html');
}

function policyOf(page: BuiltFile, known: Map<BuiltFile, string>): string {
  const policy = known.get(page) ?? sitePolicy(new TextDecoder().decode(page.content));
  known.set(page, policy);
  return policy;
}

/**
 * Allows our own files and the page's inline scripts and styles by their hashes. The search runs as
 * WebAssembly. The colours of code are style attributes, which cannot run anything.
 */
function sitePolicy(page: string): string {
  return [
    "default-src 'none'",
    ['script-src', "'self'", "'wasm-unsafe-eval'", ...hashesOf(page, 'script')].join(' '),
    ['style-src', "'self'", ...hashesOf(page, 'style')].join(' '),
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "worker-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

function hashesOf(page: string, tag: 'script' | 'style'): Set<string> {
  const inline = new RegExp(`<${tag}(?![^>]*\\ssrc=)[^>]*>([\\s\\S]*?)</${tag}>`, 'g');
  return new Set([...page.matchAll(inline)].map(([, text = '']) => hashOf(text)));
}

const NOT_BUILT = {
  style: `${BASE_STYLE}main{max-width:40rem;margin:4rem auto;padding:0 1rem}h1{margin:0;letter-spacing:-.02em}code{font:.875em ui-monospace,monospace}`,
};
const NOT_BUILT_POLICY = securityPolicy(NOT_BUILT);

function notBuiltPage(names: readonly string[]) {
  return layout(
    'dues: documentation',
    NOT_BUILT,
    html`<main>
<h1>Documentation</h1>
<p>The site is not built here. Run <code>npm run site</code> in the source and start the service again, or
read the pages as Markdown. The REST API is described in <a href="/openapi.json">/openapi.json</a>.</p>
<ul>${names.map((name) => html`<li><a href="/docs/${name}">${name}</a></li>`)}</ul>
</main>`,
  );
}
