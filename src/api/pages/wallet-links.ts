/** A link that opens a page in the browser of a wallet app, where the page finds the wallet. */
export interface WalletLink {
  readonly name: string;
  readonly href: string;
}

/**
 * Universal links of wallet apps. Each opens the app, or the app store if the phone lacks the app.
 */
const BROWSERS = [
  ['Phantom', 'https://phantom.app/ul/browse/'],
  ['Solflare', 'https://solflare.com/ul/v1/browse/'],
  ['Backpack', 'https://backpack.app/ul/v1/browse/'],
] as const;

/** Links that open one of our pages inside wallet apps. */
export function walletLinks(publicUrl: string, path: string): WalletLink[] {
  const page = encodeURIComponent(`${publicUrl}${path}`);
  const origin = encodeURIComponent(new URL(publicUrl).origin);
  return BROWSERS.map(([name, prefix]) => ({ name, href: `${prefix}${page}?ref=${origin}` }));
}

/**
 * The Solana Pay link of a checkout; undefined without https, which wallets require.
 */
export function solanaPayLink(publicUrl: string, sessionId: string): string | undefined {
  return publicUrl.startsWith('https://')
    ? `solana:${publicUrl}/api/checkout/${sessionId}/solana-pay`
    : undefined;
}
