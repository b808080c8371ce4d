import type { Hono } from 'hono';
import { type CustomerApp, DEFAULT_APP } from '../../config/customer-app.ts';
import type { Config } from '../../config.ts';
import { notFound } from '../../errors.ts';
import { putHeaders } from '../http/answer-headers.ts';
import type { ApiEnv } from '../http/api-env.ts';

const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><rect width="64" height="64" rx="14" fill="#4338ca"/><path d="M45 32a13 13 0 1 1-4-9.4M41 13v10H31" fill="none" stroke="#fff" stroke-width="5" stroke-linecap="round" stroke-linejoin="round"/></svg>`;

/**
 * Serves the files with which Android and iOS let the operator's app open links to checkouts and
 * payment links, and our icon for wallets and browser tabs.
 */
export function routeAppLinks(
  router: Hono<ApiEnv>,
  { customerApp = DEFAULT_APP }: Pick<Config, 'customerApp'>,
): void {
  const { android, appleIds } = customerApp;
  router.get('/.well-known/assetlinks.json', (c) => {
    if (!android) throw notFound('file');
    return c.json(assetLinks(android));
  });
  router.get('/.well-known/apple-app-site-association', (c) => {
    if (appleIds.length === 0) throw notFound('file');
    return c.json(appleAssociation(appleIds));
  });
  router.get('/icon.svg', (c) => {
    // Wallets show the icon in their own pages.
    putHeaders(c, { 'Cross-Origin-Resource-Policy': 'cross-origin' });
    return c.body(ICON, 200, { 'Content-Type': 'image/svg+xml', 'Cache-Control': 'public, max-age=86400' });
  });
}

/** The file for Android: https://developers.google.com/digital-asset-links/v1/getting-started */
function assetLinks({ packageName, fingerprints }: NonNullable<CustomerApp['android']>) {
  const target = {
    namespace: 'android_app',
    package_name: packageName,
    sha256_cert_fingerprints: fingerprints,
  };
  return [{ relation: ['delegate_permission/common.handle_all_urls'], target }];
}

/** The file for iOS: https://developer.apple.com/documentation/bundleresources/applinks */
function appleAssociation(appIDs: readonly string[]) {
  const components = [{ '/': '/checkout/*', comment: 'Checkouts' }];
  return { applinks: { details: [{ appIDs, components }] } };
}
