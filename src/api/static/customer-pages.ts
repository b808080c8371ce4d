import { fileURLToPath } from 'node:url';
import type { Hono } from 'hono';
import { notFound } from '../../errors.ts';
import type { ApiEnv } from '../http/api-env.ts';
import { secureHeaders } from '../http/secure-headers.ts';
import { CUSTOMER_PAGES_NOT_BUILT } from '../pages/send-page.ts';
import { type BuiltFile, readBuiltFiles } from './built-files.ts';
import { type PageShell, pageShell, sendShell } from './page-shell.ts';
import { sendFile } from './send-file.ts';

const FOLDER = fileURLToPath(new URL('../../../dist/web/customer', import.meta.url));

interface Options {
  readonly walletScript?: string | undefined;
  readonly folder?: string;
}

/**
 * Serves the pages for customers that `web/customer` builds. They share their scripts and styles
 * under `/customer/assets`. The files are the same for all callers, so they are served before the
 * caller is identified, and count against no limit.
 */
export function routeCustomerPages(router: Hono<ApiEnv>, { walletScript, folder = FOLDER }: Options): void {
  const files = readBuiltFiles(folder);
  const shells = new Map<string, PageShell>();
  for (const [path, file] of files) {
    if (path.endsWith('.html')) shells.set(path, pageShell(file, walletScript));
  }
  router.get('/customer/assets/*', secureHeaders, (c) =>
    sendFile(c, assetOf(files, c.req.path), 'immutable'),
  );
  // All paths of the portal have the same shell. Its script shows the page of the path.
  router.get('/portal/*', secureHeaders, (c) => {
    const shell = shells.get('portal.html');
    return shell ? sendShell(c, shell) : c.text(CUSTOMER_PAGES_NOT_BUILT, 404);
  });
}

function assetOf(files: ReadonlyMap<string, BuiltFile>, path: string): BuiltFile {
  const file = files.get(path.slice('/customer/'.length));
  if (!file) throw notFound('file');
  return file;
}
