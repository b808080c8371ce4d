// The pages that the API renders: `npm run web` builds this module into dist/web/pages.
import { encodeQR } from 'qr';
import { renderToStaticMarkup } from 'react-dom/server';
import type { PageData, PageName, RenderedPage, RenderOptions } from '../../src/api/pages/page-data.ts';
import { completedCheckout } from './checkout/completed-checkout.tsx';
import { endedCheckout } from './checkout/ended-checkout.tsx';
import { openCheckout } from './checkout/open-checkout.tsx';
import { QrDrawing } from './checkout/qr-drawing.ts';
import { checkoutError } from './checkout-error/checkout-error-page.tsx';
import sheet from './customer.css?inline';
import { link, linkOff } from './link/link-page.tsx';
import { missing } from './missing/missing-page.tsx';
import { noReceipt, receipt, waitingReceipt } from './receipt/receipt-page.tsx';
import { type NamedPage, PageDocument, type PageView } from './shared/document.tsx';
import { unsubscribe } from './unsubscribe/unsubscribe-page.tsx';
import { verifyReceipt } from './verify-receipt/verify-receipt-page.tsx';
import { welcome } from './welcome/welcome-page.tsx';

/** The built script of the pages. The build puts it here. */
declare const PAGE_SCRIPT: { readonly src: string; readonly integrity: string };

const views: { readonly [Name in PageName]: PageView<PageData[Name]> } = {
  receipt,
  waitingReceipt,
  noReceipt,
  verifyReceipt,
  openCheckout,
  endedCheckout,
  completedCheckout,
  link,
  linkOff,
  checkoutError,
  missing,
  unsubscribe,
  welcome,
};

const drawQr = (text: string) => encodeQR(text, 'svg', { ecc: 'medium', border: 1 });

export { sheet };

/** Renders a page as a complete HTML document. */
export function render<Name extends PageName>(
  name: Name,
  data: PageData[Name],
  { extraStyle, walletScript }: RenderOptions,
): RenderedPage {
  const view: PageView<PageData[Name]> = views[name];
  const { Content, hasScript, hasForm = false } = view;
  const style = sheet + extraStyle;
  const script = hasScript?.(data) ? PAGE_SCRIPT : undefined;
  const document = (
    <PageDocument
      view={view}
      data={data}
      page={hasScript && ({ name, data } as NamedPage)}
      style={style}
      script={script}
      walletScript={walletScript}
    >
      <QrDrawing value={drawQr}>
        <Content {...data} />
      </QrDrawing>
    </PageDocument>
  );
  const html = `<!doctype html>${renderToStaticMarkup(document)}`;
  return { html, style, scriptHash: script?.integrity, hasForm };
}
