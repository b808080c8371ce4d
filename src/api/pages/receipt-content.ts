import { html } from 'hono/html';
import type { PublicReceipt } from '../../domain/billing/receipt/get-receipt.ts';
import type { ReceiptTexts } from '../../domain/billing/receipt/receipt-texts.ts';
import { customerLinks } from './customer-links.ts';
import type { Html } from './layout.ts';
import { sellerMark } from './seller.ts';

/** Links on the page of a receipt. */
export interface ReceiptLinks {
  /** Path of the page. */
  readonly page: string;
  /** URL of the transaction in an explorer; null if the cluster has no explorer. */
  readonly explorer: string | null;
  /** Whether the receipt is available as PDF. */
  readonly hasPdf: boolean;
}

/** Renders the page of a receipt. */
export function receiptContent(receipt: PublicReceipt, texts: ReceiptTexts, links: ReceiptLinks): Html {
  const { title, date, amount, testNote, seller, buyer, facts, proof, later } = texts;
  return html`
<main>
${testNote === null ? '' : html`<p class="badge">${testNote}</p>`}
<article class="card">
${sellerMark(receipt)}
<div class="head"><h1>${title}</h1><p>${date}</p></div>
<div class="sides">
<section><h2>From</h2>${seller.map((line) => html`<p>${line}</p>`)}</section>
<section><h2>To</h2>${buyer.map((line) => html`<p>${line}</p>`)}</section>
</div>
<h2>Payment</h2>
<table class="rows"><tbody>
${facts.map(rowOf)}
<tr class="total"><th scope="row" class="total">Amount</th><td>${amount}</td></tr>
${later.map(rowOf)}
</tbody></table>
<h2>Proof on chain</h2>
<table class="rows small"><tbody>${proof.map(rowOf)}</tbody></table>
<ul class="links">
${links.hasPdf ? html`<li><a href="${links.page}/receipt.pdf" download>PDF</a></li>` : ''}
<li><a href="${links.page}/receipt.json" download>JSON</a></li>
<li><a href="${links.page}/check">Compare with the chain</a></li>
${links.explorer === null ? '' : html`<li><a href="${links.explorer}" rel="noreferrer">View transaction</a></li>`}
</ul>
</article>
${footer(receipt)}
</main>`;
}

function rowOf([label, value]: readonly [string, string]): Html {
  return html`<tr><th scope="row">${label}</th><td>${value}</td></tr>`;
}

/** Renders the page of a payment whose receipt is not issued yet. */
export function waitingContent(receipt: PublicReceipt): Html {
  return html`
<main><div class="card">
${sellerMark(receipt)}
<section class="step"><h1>The payment was received</h1><p class="soft">Its receipt is issued when the network has finalized the payment, within about a minute. This page reloads automatically.</p></section>
</div>
${footer(receipt)}
</main>`;
}

function footer({ subscriptionId, merchantUrl, companyName }: PublicReceipt): Html {
  const merchant = merchantUrl === null ? null : { companyName, url: merchantUrl };
  return html`<footer>${customerLinks({ subscriptionId, merchant })}</footer>`;
}

/** Renders the page for a link without a receipt. */
export function noReceiptContent(): Html {
  return html`
<main><div class="card">
<section class="step"><h1>There is no such receipt</h1><p class="soft">The link may be incomplete. Use the link in the mail or in the portal.</p></section>
</div></main>`;
}
