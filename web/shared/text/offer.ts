/** Texts about a plan that a customer may subscribe to, for checkouts and payment links. */
export const offer = {
  testMode: 'Test mode: no real money moves.',
  titleAt: (plan: string, company: string) => `${plan} · ${company}`,
  description: (plan: string, company: string) => `Subscribe to ${plan} of ${company} with a Solana wallet.`,
  every: (interval: string) => `every ${interval}`,
  atMost: (limit: string) => `at most ${limit}`,
  thenFull: (duration: string, price: string) => `for ${duration}, then ${price}`,
  insteadOf: (price: string) => `instead of ${price}`,
  next: (date: string) => `next on ${date}`,
  questions: 'Questions?',
} as const;
