/** Words about the accounts in which a merchant receives payments. */
export const receiving = {
  title: 'Receiving accounts',
  titleOf: (unit: string) => `Receiving accounts, ${unit}`,
  hint: (environment: string) =>
    `Token accounts of your wallet among which payments in ${environment} are divided. The network limits how many payments one account can get in a second: one is enough for most merchants.`,
  count: 'Payments are divided among',
  accounts: (count: number) => (count === 1 ? '1 account' : `${count} accounts`),
  number: 'Number',
  address: 'Account',
  state: 'State',
  unused: 'Not used any more',
  balance: 'Balance',
  create: (count: number) => (count === 1 ? 'Create 1 account' : `Create ${count} accounts`),
  createHint:
    'Your wallet pays about 0.002 SOL for each account, which comes back when you close it. One signature creates up to four.',
  created: 'Accounts created.',
  sweep: 'Move all to account 1',
  sweepHint:
    'Moves the tokens of the other accounts into account 1, from which most wallets pay. It costs the network fee.',
  swept: 'Tokens moved to account 1.',
  saved: 'Receiving accounts saved.',
  liveQuestion: {
    title: 'Change receiving accounts in LIVE?',
    hint: 'This applies to all later payments. Accounts that are no longer used keep their tokens.',
    action: 'Save',
  },
} as const;
