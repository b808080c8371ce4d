/** Texts of the page of a receipt. */
export const receiptPage = {
  titleAt: (title: string, company: string) => `${title} · ${company}`,
  from: 'From',
  to: 'To',
  payment: 'Payment',
  amount: 'Amount',
  proof: 'Proof on chain',
  pdf: 'PDF',
  json: 'JSON',
  compare: 'Compare with the chain',
  transaction: 'View transaction',
  waiting: {
    title: 'The payment was received',
    hint: 'Its receipt is issued when the network has finalized the payment, within about a minute. This page reloads automatically.',
  },
  none: {
    title: 'There is no such receipt',
    hint: 'The link may be incomplete. Use the link in the mail or in the portal.',
  },
  documentTitle: 'Receipt',
} as const;
