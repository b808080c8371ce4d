/** Texts of the health page. */
export const health = {
  title: 'Health',
  description: (environment: string) => `Payment collection and chain updates in ${environment}.`,
  checked: 'Checked',
  good: 'Everything works',
  goodHint: 'Payments are collected, and changes on chain are seen within seconds.',
  warn: 'Something needs attention',
  warnHint: 'See below what to do.',
  bad: 'Something is not working',
  badHint: 'See below what to do. Due payments are collected once it works again.',
  collectors: 'Collectors',
  collectorsHint: 'Accounts of dues that pay the network fees for collecting payments.',
  roles: { CURRENT: 'Current collector', PREVIOUS: 'Previous collector' },
  roleHints: {
    CURRENT: 'Used for new plans.',
    PREVIOUS: 'Used for plans that do not name the current collector.',
  },
  balance: 'Balance',
  daysLeft: 'Lasts for',
  days: (days: number) =>
    days < 1
      ? 'Less than a day'
      : days > 3650
        ? 'More than 10 years'
        : `About ${new Intl.NumberFormat(undefined, { style: 'unit', unit: 'day', unitDisplay: 'long', maximumFractionDigits: 0 }).format(Math.floor(days))}`,
  noFees: 'Unknown: no fees in the last seven days',
  address: 'Address',
  collectorStates: { good: 'Enough', warn: 'Low', bad: 'Empty' },
  collectorHints: {
    good: 'The balance covers the fees. Nothing to do.',
    warn: 'The balance lasts less than a week. Ask the operator of dues to send SOL to this address, or send it yourself if you run dues.',
    bad: 'The balance does not cover one transaction, so nothing is collected for plans of this collector. Ask the operator of dues to send SOL to this address, or send it yourself if you run dues. Collection then resumes automatically.',
  },
  unreachable: 'The cluster is not responding',
  unreachableHint:
    'Balances cannot be read, and payments wait. If this lasts more than a few minutes, ask the operator of dues to check the RPC node.',
  mirror: 'Following the chain',
  mirrorHint: 'dues reads every block to see new subscriptions, payments and cancellations.',
  slotsBehind: 'Behind the chain',
  slots: (slots: number) =>
    slots === 0 ? 'Nothing' : `${new Intl.NumberFormat().format(slots)} ${slots === 1 ? 'slot' : 'slots'}`,
  lastBlock: 'Last block seen',
  ago: (duration: string) => `${duration} ago`,
  justNow: 'Just now',
  never: 'Never',
  unknown: 'Unknown',
  doubt: 'Being checked',
  legend: 'What the states mean',
  states: {
    FOLLOWING: 'Up to date',
    CHECKING: 'Checking',
    BEHIND: 'Behind',
    SILENT: 'Silent',
    NEVER: 'Not started',
  },
  stateHints: {
    FOLLOWING: 'Changes on chain are seen within seconds. Nothing to do.',
    CHECKING:
      'dues may have missed something and is reading the accounts again. Nothing to do. Until it has finished, no payment fails because an approval seems to be missing.',
    BEHIND:
      'The latest changes on chain are not processed yet. Nothing to do if the number falls. If it grows, tell the operator of dues.',
    SILENT:
      'No block was seen for a minute. The RPC node or the indexer is not working: tell the operator of dues. Missed blocks are read afterwards.',
    NEVER:
      'dues has never followed the chain in this environment. Ask the operator of dues to start the indexer. Until then, only the checkout sees new subscriptions.',
  },
} as const;
