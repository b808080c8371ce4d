/** Texts of the page that compares a receipt with the chain. */
export const verifyReceiptText = {
  title: 'Compare a receipt with the chain',
  label: 'The receipt as JSON',
  compare: 'Compare',
  hint: 'The transfer is read from the network; the receipt is not stored.',
  ownKey: 'This service signs receipts with the key',
  back: 'Back to the receipt',
  unreadable: 'The network cannot be read now. Try again in a moment.',
  receipt: (number: number, seller: string) => `Receipt ${number} of ${seller}`,
  agrees: (receipt: string) => `${receipt} agrees with the chain.`,
  disagrees: (receipt: string) => `${receipt} does not agree with the chain. Do not trust it.`,
  yes: 'yes',
  no: 'no',
} as const;
