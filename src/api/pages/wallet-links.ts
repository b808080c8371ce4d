/** A wallet app that opens a page in its own browser, where the page finds it. */
export interface WalletLink {
  readonly name: string;
  readonly href: string;
}

/** Their universal links: each opens the app, or the store if the phone does not have it. */
const BROWSERS = [
  ['Phantom', 'https://phantom.app/ul/browse/'],
  ['Solflare', 'https://solflare.com/ul/v1/browse/'],
  ['Backpack', 'https://backpack.app/ul/v1/browse/'],
] as const;

/** Links that open one of our pages inside wallet apps. */
export function walletLinks(publicUrl: string, path: string): WalletLink[] {
  const page = encodeURIComponent(`${publicUrl}${path}`);
  const from = encodeURIComponent(new URL(publicUrl).origin);
  return BROWSERS.map(([name, begin]) => ({ name, href: `${begin}${page}?ref=${from}` }));
}

/**
 * The Solana Pay link of a checkout; undefined without https, which wallets require.
 */
export function solanaPayLink(publicUrl: string, sessionId: string): string | undefined {
  return publicUrl.startsWith('https://')
    ? `solana:${publicUrl}/api/checkout/${sessionId}/solana-pay`
    : undefined;
}
