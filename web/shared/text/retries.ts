/** Texts of the retries of failed payments, by the policy of a plan. */
export const retries = {
  label: 'Retries of a failed payment',
  names: {
    QUICK: 'Quick',
    DAYS: 'Days',
    UNTIL_PAID: 'Until paid',
  },
  hints: {
    QUICK:
      'As in the settings: minutes apart unless you changed them. After the last failure the subscription expires.',
    DAYS: 'After 1 hour, and then 6 hours, 1 day, 3 days and 5 days later. After the sixth failure the subscription expires. The period must be 10 days or longer.',
    UNTIL_PAID:
      'As in the settings, but the subscription does not expire: its access ends with the grace, and the payment is collected when the wallet is topped up before its period ends. Each later payment is tried once.',
  },
} as const;
