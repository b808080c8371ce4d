/** Texts of the grace of a failed payment. */
export const grace = {
  label: 'Grace',
  hint: 'How long a subscription still gives access after its last retry, from the due date of the payment that failed.',
  none: 'none',
  ofEnvironment: (duration: string) => `As in the settings (${duration})`,
  recommended: 'We recommend 3 days: customers often pay when they notice. They keep access meanwhile.',
} as const;
