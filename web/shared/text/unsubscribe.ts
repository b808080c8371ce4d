/** Texts of the page that ends reminders by mail. */
export const unsubscribe = {
  documentTitle: 'Reminders',
  unknown: {
    title: 'This link does not work',
    hint: 'It may be incomplete. Please use the link in the mail.',
  },
  question: {
    title: 'No more reminders?',
    hint: (company: string) =>
      `${company} would no longer write to you before a payment is due. You still receive receipts and mails about failed payments.`,
    confirm: 'No more reminders',
  },
  done: {
    title: 'No more reminders',
    hint: (company: string) => `${company} no longer writes to you before a payment is due.`,
  },
} as const;
