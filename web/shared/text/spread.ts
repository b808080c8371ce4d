/** Texts of the time over which the payments of a plan are spread. */
export const spread = {
  label: 'Collect payments',
  hint: 'Many subscriptions may be due in the same minute. Each of them is charged at its own time after the due date; dates and access stay the same. First payments are charged at once.',
  atOnce: 'when they are due',
  within: (duration: string) => `within ${duration} after they are due`,
} as const;
