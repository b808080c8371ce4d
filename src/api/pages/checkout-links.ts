import type { Config } from '../../config.ts';
import type { OtherDevices } from './page-data.ts';
import { solanaPayLink, walletLinks } from './wallet-links.ts';

/** The links with which a checkout is approved outside of this browser. */
export function checkoutLinksOf(
  { publicUrl, customerApp }: Pick<Config, 'publicUrl' | 'customerApp'>,
  sessionId: string,
): OtherDevices {
  return {
    app: customerApp ? `${customerApp.scheme}://subscribe?sessionId=${sessionId}` : null,
    solanaPay: solanaPayLink(publicUrl, sessionId) ?? null,
    walletApps: walletLinks(publicUrl, `/checkout/${sessionId}`),
  };
}
