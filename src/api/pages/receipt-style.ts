import { CHECKOUT_STYLE } from './checkout-style.ts';

/** Style of the pages of receipts. On paper they have no colours and no links. */
export const RECEIPT_STYLE = `${CHECKOUT_STYLE}
main{max-width:42rem}
h1{font-size:1.5rem;color:var(--ink);font-weight:600}
h2{font-size:.875rem;font-weight:600;color:var(--soft);margin:1.5rem 0 .25rem}
.head{display:flex;flex-wrap:wrap;justify-content:space-between;gap:.25rem 1rem}
.head p{margin:0}
.sides{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(14rem,100%),1fr));gap:0 2rem}
.sides p{margin:0}
.rows{width:100%;border-collapse:collapse}
.rows th,.rows td{padding:.5rem 0;border-top:1px solid var(--line);vertical-align:top;text-align:left}
.rows th{width:35%;padding-right:1rem;font-weight:400;color:var(--soft)}
.rows .total{font-weight:600;color:var(--ink)}
.small{font-size:.8125rem}
textarea.field{font:.8125rem/1.4 ui-monospace,monospace;resize:vertical}
.good,.bad{border-radius:.625rem;padding:.5rem .75rem;margin:1rem 0 0;font-weight:600}
.good{background:var(--good-ground);color:var(--good)}
.bad{background:var(--bad-ground);color:var(--bad)}
@media print{:root{--ground:#fff;--card:#fff;--ink:#000;--soft:#444;--line:#bbb}main{max-width:none;padding:0}.card{border:0;box-shadow:none;padding:0}.links,footer{display:none}}`;
