export const signInText = {
  title: 'Sign in',
  description:
    'Sign in with the wallet that is a member of your merchant. You sign a message, and no money moves.',
  wallets: 'Wallets in this browser',
  waiting: 'Confirm it in your wallet.',
  none: 'There is no wallet in this browser',
  noneHint:
    'Install a wallet for Solana, for example Phantom, Solflare or Backpack, then load this page again.',
  reload: 'Load again',
  refused: (wallet: string, reason: string) => `${wallet} did not sign in: ${reason}`,
  noMember:
    'This wallet is not a member of any merchant. Ask an owner to invite it, or use another account of the wallet.',
  newTitle: 'Create your merchant',
  newHint: 'This wallet is not a member of any merchant yet. It will own your plans and receive the money.',
  companyName: 'Company name',
  companyNameHint: 'Customers see it at the checkout. You can change it later.',
  create: 'Create merchant',
  otherWallet: 'Use another wallet',
  newWallet: 'Wallet',
  choose: 'Choose a merchant',
  chooseHint: 'This wallet is a member of several merchants.',
} as const;
