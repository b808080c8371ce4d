export const signInText = {
  title: 'Sign in',
  description:
    'dues collects your subscriptions on Solana. Sign in with a wallet that is a member of your merchant: you sign a message, and no money moves.',
  wallets: 'Wallets in this browser',
  waiting: 'Confirm in your wallet.',
  none: 'No wallet in this browser',
  noneHint: 'Install a Solana wallet, for example Phantom, Solflare or Backpack, then reload this page.',
  reload: 'Reload',
  refused: (wallet: string, reason: string) => `${wallet} did not sign in: ${reason}`,
  noMember:
    'This wallet is not a member of any merchant. Ask an owner to invite it, or use another account of the wallet.',
  newTitle: 'Create your merchant',
  newHint: 'This wallet is not a member of any merchant yet. It will own your plans and receive the money.',
  companyName: 'Company name',
  companyNameMissing: 'Enter the name of the company.',
  companyNameHint: 'Customers see it on the checkout page. You can change it later.',
  create: 'Create merchant',
  otherWallet: 'Use another wallet',
  newWallet: 'Wallet',
  choose: 'Choose a merchant',
  chooseHint: 'This wallet is a member of several merchants.',
} as const;
