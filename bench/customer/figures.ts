import type { Figures } from '../lib/figures.ts';

export const PARTS = ['buys', 'pages', 'top-up'] as const;

/** Pages with this score are not measured again. */
export const ENOUGH = 95;

export const CUSTOMER_FIGURES = {
  wallet_s: { what: 'a purchase by wallet', target: '<= 10' },
  sponsored_s: { what: 'a purchase by a wallet without SOL', target: '<= 10' },
  pay_s: { what: 'a purchase by Solana Pay', target: '<= 10' },
  portal_kb: { what: 'size of what the portal needs to start, after gzip', target: '<= 45' },
  checkout_kb: { what: 'the same of the checkout', target: '<= 45' },
  link_kb: { what: 'the same of the link', target: '<= 45' },
  lighthouse_min: { what: 'the lowest of all scores in all four categories', target: `>= ${ENOUGH}` },
  topup_s: { what: 'longest time from a transfer to the payment', target: '<= 5' },
} as const satisfies Figures;
