import type { Hono } from 'hono';
import type { AppContext } from '../../app.ts';
import { getLogo } from '../../domain/accounts/merchant/get-logo.ts';
import type { ApiEnv } from '../http/api-env.ts';

const HEADERS = {
  'Content-Type': 'image/png',
  // The name changes with the picture.
  'Cache-Control': 'public, max-age=31536000, immutable',
  'Content-Security-Policy': "default-src 'none'; sandbox",
  // Wallets and explorers show the logo on their own pages.
  'Cross-Origin-Resource-Policy': 'cross-origin',
};

/** Serves the logos that merchants uploaded. */
export function routeLogo(router: Hono<ApiEnv>, ctx: AppContext): void {
  router.get('/logos/:file', async (c) => {
    const file = c.req.param('file');
    const png = await getLogo(ctx, file.endsWith('.png') ? file.slice(0, -'.png'.length) : '');
    return c.body(png, 200, HEADERS);
  });
}
