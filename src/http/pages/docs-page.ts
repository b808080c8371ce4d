import type { Hono } from 'hono';
import type { ApiEnv } from '../api-env.ts';
import type { OpenApiDocument } from '../openapi-document.ts';
import { docsContent } from './docs-content.ts';
import { DOCS_STYLE } from './docs-style.ts';
import { layout } from './layout.ts';
import { securityPolicy } from './security-policy.ts';

const PARTS = { style: DOCS_STYLE };
const POLICY = securityPolicy(PARTS);

/** The description of the API as a page to read: nothing on it runs, and nothing comes from elsewhere. */
export function routeDocsPage(router: Hono<ApiEnv>, document: OpenApiDocument): void {
  const page = layout('dues: the REST API', PARTS, docsContent(document));
  router.get('/docs', (c) => {
    c.header('Content-Security-Policy', POLICY);
    return c.html(page);
  });
}
