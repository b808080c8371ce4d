/** Texts of the grace of a failed payment. */
export const grace = {
  label: 'Grace',
  hint: 'How long an expired subscription still gives access, from the due date of the payment that failed.',
  none: 'none',
  ofEnvironment: (duration: string) => `As in the settings (${duration})`,
  recommended: 'We recommend 3 days: customers often pay when they notice. They keep access meanwhile.',
} as const;
