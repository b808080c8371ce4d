/** Texts of signing a transaction with the merchant's wallet. */
export const signing = {
  with: (wallet: string) => `Sign with ${wallet}`,
  signer: 'Must be signed by',
  otherMember: (own: string) =>
    `You are signed in as ${own}. Connect the wallet of the merchant, or ask its owner to open this page and sign.`,
  otherAccount: (wallet: string, address: string) =>
    `${wallet} is connected with another account, ${address}. Choose the right one when it asks.`,
  wrongAccount: (wallet: string, signer: string) =>
    `${wallet} used another account. Choose ${signer} in the wallet, then try again. Nothing was signed.`,
  none: 'No wallet in this browser can sign here',
  noneHint: (chain: string) => `Install or unlock a wallet that works on ${chain}, then reload this page.`,
  connecting: 'Connect the account in your wallet.',
  preparing: 'Preparing a new transaction.',
  approving: 'Check and approve it in your wallet. The transaction is valid for about a minute.',
  sent: 'Sent. Waiting for the network to confirm it.',
  late: 'The network has not confirmed it yet. If your wallet or the explorer says that it failed or expired, sign a new transaction.',
  again: 'Sign again',
  failed: (wallet: string, reason: string) =>
    `${wallet} did not send it: ${reason} Try again with a new transaction.`,
  fee: 'Your wallet pays the network’s fee and the rent of the plan’s account.',
} as const;
