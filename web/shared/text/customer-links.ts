/** Links from a page of a company to the customer's own pages. */
export const customerLinks = {
  receipt: 'View the receipt',
  manage: 'Manage the subscription',
  backTo: (company: string) => `Back to ${company}`,
} as const;
