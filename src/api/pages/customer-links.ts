import { html } from 'hono/html';
import { portalPath } from '../../domain/accounts/customer/portal-url.ts';
import type { Html } from './layout.ts';

/** Where a customer can go from a page; null leaves a link out. */
export interface CustomerLinks {
  readonly receiptPath?: string | null;
  /** Our id of the subscription. */
  readonly subscriptionId: string;
  /** A page of the merchant. */
  readonly merchant?: { readonly companyName: string; readonly url: string } | null;
}

/** Renders the links from the page of a checkout or a receipt. */
export function customerLinks({ receiptPath = null, subscriptionId, merchant = null }: CustomerLinks): Html {
  return html`<ul class="links" data-part="links">
${receiptPath === null ? '' : html`<li><a href="${receiptPath}">View the receipt</a></li>`}
<li><a href="${portalPath(subscriptionId)}">Manage the subscription</a></li>
${merchant === null ? '' : html`<li><a href="${merchant.url}">Back to ${merchant.companyName}</a></li>`}
</ul>`;
}
