/** Texts of the health of the service. */
export const health = {
  title: 'Health',
  description: (environment: string) =>
    `Whether payments can be collected and changes on chain are seen, in ${environment}.`,
  checked: 'Checked',
  good: 'Everything works',
  goodHint: 'Payments are collected, and changes on chain are seen within seconds.',
  warn: 'It works, and something needs attention',
  warnHint: 'Read below what it is and what to do.',
  bad: 'Something does not work',
  badHint: 'Read below what it is and what to do. Nothing is lost: what is due is collected afterwards.',
  collectors: 'Collectors',
  collectorsHint: 'Accounts of dues that pay the network’s fees when a payment is collected.',
  roles: { CURRENT: 'Current collector', PREVIOUS: 'Previous collector' },
  roleHints: {
    CURRENT: 'New plans name it.',
    PREVIOUS: 'It collects for plans that name it and not the new one.',
  },
  balance: 'Balance',
  daysLeft: 'Lasts for',
  days: (days: number) =>
    days < 1
      ? 'Less than a day'
      : days > 3650
        ? 'More than 10 years'
        : `About ${new Intl.NumberFormat(undefined, { style: 'unit', unit: 'day', unitDisplay: 'long', maximumFractionDigits: 0 }).format(Math.floor(days))}`,
  noFees: 'Not known: no fees in the last seven days',
  address: 'Address',
  collectorStates: { good: 'Enough', warn: 'Low', bad: 'Empty' },
  collectorHints: {
    good: 'The balance pays for the fees of collection. Nothing is to be done.',
    warn: 'The balance lasts less than a week. Tell the operator of dues to send SOL to this address; on your own installation, send it yourself.',
    bad: 'The balance does not pay for one transaction, so nothing is collected for the plans of this collector. Tell the operator of dues to send SOL to this address; on your own installation, send it yourself. Collection goes on by itself afterwards.',
  },
  unreachable: 'The cluster does not respond',
  unreachableHint:
    'The balances cannot be read now, and payments wait. If it lasts longer than a few minutes, tell the operator of dues to check the RPC node.',
  mirror: 'Following the chain',
  mirrorHint: 'dues reads every block, so that it sees new subscriptions, payments and cancellations.',
  slotsBehind: 'Behind the chain',
  slots: (slots: number) =>
    slots === 0 ? 'Nothing' : `${new Intl.NumberFormat().format(slots)} ${slots === 1 ? 'slot' : 'slots'}`,
  lastBlock: 'Last block seen',
  ago: (duration: string) => `${duration} ago`,
  justNow: 'Just now',
  never: 'Never',
  unknown: 'Not known',
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
    FOLLOWING: 'Changes on chain are seen within seconds. Nothing is to be done.',
    CHECKING:
      'dues may have missed something, and reads the accounts again. Nothing is to be done: it ends by itself. Until then, no payment counts as failed for an approval that seems to be gone.',
    BEHIND:
      'What happened on chain in the last minutes is still to come. Nothing is to be done if the number falls. If it grows, tell the operator of dues.',
    SILENT:
      'No block was seen for a minute. The RPC node or the indexer of dues does not work: tell the operator of dues. What happened is read afterwards.',
    NEVER:
      'The chain was never followed in this environment. Tell the operator of dues to start the indexer; until then new subscriptions are seen only by the checkout.',
  },
} as const;
