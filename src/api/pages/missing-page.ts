import type { Context } from 'hono';
import type { ApiEnv } from '../http/api-env.ts';
import { sendPage } from './send-page.ts';

/** Paths whose errors are JSON for browsers too. */
const API_PATH = /^\/(?:api|graphql)(?:\/|$)/;

/** Whether a person sees the response: a browser asks for a page, which is not one of the APIs. */
export function isPageRequest({ req }: Context<ApiEnv>): boolean {
  const isRead = req.method === 'GET' || req.method === 'HEAD';
  return isRead && !API_PATH.test(req.path) && (req.header('accept') ?? '').includes('text/html');
}

/** Renders a page that says that the address leads nowhere, and what to open instead. */
export function renderMissingPage(c: Context<ApiEnv>): Response | Promise<Response> {
  return sendPage(c, 'missing', {}, { status: 404 });
}
