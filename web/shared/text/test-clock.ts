export const testClock = {
  open: 'Advance time',
  title: 'Advance time in TEST',
  now: 'It is now',
  hint: 'Payments due by the new time are collected at once. Advance one billing interval at a time: a period can be collected only while it lasts. Open checkouts expire.',
  steps: 'Advance by',
  moved: (now: string) => `The time is now ${now}.`,
} as const;
