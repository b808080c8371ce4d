export const testClock = {
  open: 'Move the time',
  title: 'Move the time of TEST',
  now: 'It is now',
  hint: 'Payments that are due then are collected at once. Move one billing interval at a time: a period can be collected only while it lasts. Open checkouts expire.',
  steps: 'Move it forward by',
  moved: (now: string) => `The time is now ${now}.`,
} as const;
