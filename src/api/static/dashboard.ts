import { fileURLToPath } from 'node:url';
import type { Hono } from 'hono';
import { notFound } from '../../errors.ts';
import type { ApiEnv } from '../http/api-env.ts';
import { secureHeaders } from '../http/secure-headers.ts';
import { readBuiltFiles } from './built-files.ts';
import { pageShell, sendShell } from './page-shell.ts';
import { sendFile } from './send-file.ts';

const FOLDER = fileURLToPath(new URL('../../../dist/web/dashboard', import.meta.url));
const SHELL = 'index.html';
/** Folder of files whose names change with their content. */
const HASHED = 'assets/';

const NOT_BUILT = 'The dashboard is not built here. Run: npm run web\n';

/**
 * Serves the merchant's dashboard. Its files are the same for all callers, so they are served
 * before the caller is identified, and count against no limit.
 */
export function routeDashboard(
  router: Hono<ApiEnv>,
  { walletScript, folder = FOLDER }: { readonly walletScript?: string | undefined; readonly folder?: string },
): void {
  const files = readBuiltFiles(folder);
  const index = files.get(SHELL);
  // The dashboard shows the preview of a mail in a frame.
  const shell = index && pageShell(index, walletScript, { frames: true });
  router.get('/dashboard/:path{.*}?', secureHeaders, (c) => {
    const path = c.req.path.slice('/dashboard/'.length);
    const file = files.get(path);
    if (file && path !== SHELL) return sendFile(c, file, path.startsWith(HASHED) ? 'immutable' : 'never');
    // A page of an older build may request files that no longer exist. The shell would be a wrong
    // answer.
    if (path.startsWith(HASHED)) throw notFound('file');
    return shell ? sendShell(c, shell) : c.text(NOT_BUILT, 404);
  });
}
