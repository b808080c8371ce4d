import { fileURLToPath } from 'node:url';
import type { Hono } from 'hono';
import { html } from 'hono/html';
import { notFound } from '../../errors.ts';
import type { ApiEnv } from '../http/api-env.ts';
import { secureHeaders } from '../http/secure-headers.ts';
import { hashOf, securityPolicy } from '../pages/security-policy.ts';
import { type BuiltFile, readBuiltFiles } from './built-files.ts';
import { layout } from './docs-layout.ts';
import { DOCS_STYLE, docsPages, type SiteFiles } from './docs-pages.ts';
import { sendFile } from './send-file.ts';

const path = (relative: string) => fileURLToPath(new URL(`../../../${relative}`, import.meta.url));
const SITE = path('dist/site');
const SOURCES = path('docs');
/** Files whose names change with their content. */
const HASHED = /^(_astro|pagefind\/(fragment|index))\//;

/**
 * Serves the documentation: the built site or, if it is not built, plain pages of the Markdown files.
 * The files are the same for all callers, so they are served before the caller is identified, and
 * count against no limit.
 */
export function routeDocsSite(
  router: Hono<ApiEnv>,
  { folder = SITE, sources = SOURCES }: { readonly folder?: string; readonly sources?: string } = {},
): void {
  const built = keptFiles(folder, readBuiltFiles);
  const isBuilt = built.get('index.html') !== undefined;
  const policyOf = isBuilt ? createPolicies() : () => PLAIN_POLICY;
  router.get('/docs/:path{.*}?', secureHeaders, (c) => {
    const files = isBuilt ? built : keptFiles(sources, docsPages);
    const requested = c.req.path.slice('/docs/'.length);
    const page = `${requested.replace(/\/$/, '')}/index.html`.replace(/^\//, '');
    const file = files.get(requested) ?? files.get(page);
    if (file) {
      if (isPage(file)) c.header('Content-Security-Policy', policyOf(file));
      return sendFile(c, file, HASHED.test(requested) ? 'immutable' : 'checked');
    }
    if (files.size === 0) {
      c.header('Content-Security-Policy', PLAIN_POLICY);
      return c.html(NOT_HERE, 404);
    }
    const missing = files.get('404.html');
    if (!missing) throw notFound('file');
    c.header('Content-Security-Policy', policyOf(missing));
    c.status(404);
    return sendFile(c, missing, 'checked');
  });
}

const kept = new Map<string, SiteFiles>();

/** Reads the files of a folder once, because a process has several routers. */
function keptFiles(folder: string, read: (folder: string) => SiteFiles): SiteFiles {
  const files = kept.get(folder) ?? read(folder);
  kept.set(folder, files);
  return files;
}

function isPage({ type }: BuiltFile): boolean {
  return type.startsWith('text/html');
}

/** The policy of each page of the built site. */
function createPolicies(): (page: BuiltFile) => string {
  const known = new Map<BuiltFile, string>();
  return (page) => {
    const policy = known.get(page) ?? sitePolicy(new TextDecoder().decode(page.content));
    known.set(page, policy);
    return policy;
  };
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
  return new Set([...page.matchAll(inline)].map(([, text = '']) => `'${hashOf(text)}'`));
}

const PLAIN_POLICY = securityPolicy({
  style: DOCS_STYLE,
  scriptHash: undefined,
  walletScript: undefined,
  hasForm: false,
});

const NOT_HERE = layout(
  'dues: documentation',
  DOCS_STYLE,
  html`<div class="page"><main>
<h1>The documentation is not here</h1>
<p>This installation has neither the built site nor the folder <code>docs</code> of the source. In the
source, <code>npm run site</code> builds the site. The REST API is described in
<a href="/openapi.json">/openapi.json</a>.</p>
</main></div>`,
);
