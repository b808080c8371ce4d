/** Texts of the page of a payment link. */
export const paymentLink = {
  email: 'Your email',
  emailInvalid: 'Enter an email address, like ada@example.com.',
  submit: 'Continue',
  hint: 'You approve and pay in your Solana wallet on the next page. Nothing is paid here.',
  off: 'This offer is no longer available',
  offHint: (company: string) => `${company} has switched this link off. Ask ${company} for a new one.`,
  back: 'Go back',
} as const;
