import type { ActionName, PortalStatus } from '../../../src/api/portal/answers.ts';

/** Texts of the customer portal. */
export const portal = {
  title: 'Your subscriptions',
  titleAt: (company: string) => `Your subscriptions at ${company}`,
  loading: 'Loading',
  back: 'All subscriptions',
  backTo: (company: string) => `Back to ${company}`,
  signOut: 'Sign out',
  retry: 'Try again',
  more: 'Show more',
  none: 'No subscriptions',
  noneOfWallet:
    'This wallet pays for no subscription here. Sign in with the wallet that you subscribed with.',
  noneHere: 'There is no subscription to show.',
  active: 'Active',
  past: 'Past',
  test: 'Test',
  statuses: {
    ACTIVE: 'Active',
    PAST_DUE: 'Payment overdue',
    CANCELLED: 'Cancelled',
    EXPIRED: 'Ended',
  } satisfies Record<PortalStatus, string>,
  ending: 'Ending',
  nextOn: (date: string) => `Next payment on ${date}`,
  overdueSince: (date: string) => `Overdue since ${date}`,
  until: (date: string) => `Paid until ${date}`,
  endsOn: (date: string) => `Ends on ${date}`,

  signIn: {
    title: 'See your subscriptions',
    hint: 'Sign in with the wallet that pays for them. You sign a message, and no money moves.',
    wallets: 'Wallets in this browser',
    waiting: 'Confirm it in your wallet.',
    none: 'There is no wallet in this browser',
    noneHint: 'Open this page in the browser of your wallet’s app, or install the wallet here.',
    reload: 'Load again',
    refused: (wallet: string, reason: string) => `${wallet} did not sign in: ${reason}`,
    email: 'Or get a link by email',
    emailLabel: 'Email address',
    emailHint: 'The address that you gave when you subscribed.',
    send: 'Send link',
    sent: 'Look into your inbox',
    sentHint: (email: string) =>
      `If ${email} has subscriptions here, a link is on its way. It works once, for 15 minutes.`,
    mailTitle: 'Open your subscriptions',
    mailHint: 'This link works once. After that, ask for a new one.',
    open: 'Open',
  },

  standing: {
    next: (amount: string, date: string) => `${amount} will be charged on ${date}.`,
    overdue: 'A payment is overdue. It is tried again by itself once the cause is gone.',
    ending: (date: string) => `It ends on ${date}. Nothing more is charged.`,
    paidUntil: (date: string) => `It is cancelled and paid until ${date}. Nothing more is charged.`,
    ended: 'It has ended. Nothing more is charged.',
    expired: 'It ended because payments failed. Nothing more is charged. To come back, subscribe again.',
  },

  wallet: {
    title: 'Your wallet',
    unread: 'The network cannot be read now. Load the page again in a moment.',
    enough: (payments: number, date: string) =>
      payments === 1
        ? `Enough for 1 payment, until ${date}.`
        : `Enough for ${payments} payments, until ${date}.`,
    short: (missing: string) => `Not enough for the next payment: ${missing} is missing.`,
    closed: 'The wallet has no account for this token. Send some of it to the wallet to open one.',
    frozen: 'The token’s issuer has frozen the account of this wallet, so nothing can be charged.',
    balance: 'Balance',
    address: 'Wallet',
    revoked: 'The approval was taken back, so nothing can be charged, whatever the balance is.',
    replaced: 'Another app’s approval has replaced it, so nothing can be charged, whatever the balance is.',
    gone: 'The approval was closed and cannot be renewed. To go on, subscribe again.',
  },

  permits: {
    title: 'What you permit',
    max: (amount: string, interval: string) => `At most ${amount} ${interval}. The network allows no more.`,
    to: (company: string) => `It can go to ${company} only.`,
    ended: 'Nothing. Payments have stopped.',
    authority: 'Approval',
    subscription: 'Subscription',
  },

  payments: {
    title: 'Payments',
    none: 'No payments yet.',
    SUCCEEDED: 'Paid',
    DUE: 'Due',
    FAILED: 'Not paid',
    MISSED: 'Not charged',
    proof: 'See the transaction',
    receipt: 'Receipt',
  },

  billing: {
    title: 'On your receipts',
    hint: 'Later receipts name it. Receipts that you have keep what they say.',
    name: 'Name or company',
    address: 'Address',
    taxId: 'Tax id',
    edit: 'Change',
    save: 'Save',
    cancel: 'Cancel',
    saved: 'Saved. The next receipt names it.',
    none: 'Only your email address.',
  },

  actions: {
    cancel: 'Cancel subscription',
    undo: 'Keep subscription',
    cancel_on_chain: 'Remove the approval too',
    resume: 'Keep subscription',
    repair_approval: 'Renew approval',
    top_up: 'Add money',
    close: 'Get your deposit back',
  } satisfies Record<ActionName, string>,

  cancel: {
    title: 'Cancel subscription',
    hint: (date: string) => `You keep it until ${date}, and nothing more is charged.`,
    hintNow: 'Nothing more is charged.',
    why: 'Why do you cancel? (optional)',
    reasons: {
      too_expensive: 'It is too expensive',
      not_used: 'I do not use it enough',
      missing_features: 'Something is missing',
      switched: 'I use something else now',
      problems: 'It did not work well',
      other: 'Another reason',
    },
    comment: 'What could be better? (optional)',
    confirm: 'Cancel subscription',
    keep: 'Keep it',
    done: 'The subscription is cancelled.',
  },
  kept: 'The subscription goes on.',
  onChainHint:
    'Nothing more is charged. Your wallet still holds the approval for this subscription on the network; you can remove it with one signature.',
  repairHint: 'One signature renews the approval of your wallet. The price and the limit stay the same.',
  closeHint:
    'The account of this subscription on the network holds a small deposit in SOL. One signature closes the account and returns the deposit to your wallet.',
  resumeHint: 'You cancelled it with your wallet. One signature takes that back.',

  topUp: {
    title: 'Add money',
    hint: (symbol: string) =>
      `Send ${symbol} on Solana to your wallet, from another wallet or from an exchange. This page sees it by itself.`,
    count: 'How much?',
    payments: (count: number, amount: string) =>
      count === 1 ? `1 payment: ${amount}` : `${count} payments: ${amount}`,
    to: 'Send to',
    token: 'Token',
    qr: 'QR code for wallets: send the amount to this wallet',
    open: 'Open in a wallet',
    close: 'Close',
    arrived: 'The money has arrived.',
  },

  sign: {
    with: (wallet: string) => `Sign with ${wallet}`,
    waiting: 'Confirm it in your wallet.',
    sent: 'Sent. Waiting for the network.',
    done: 'Done.',
    late: 'The network has not confirmed it yet. Load the page again in a moment.',
    none: 'There is no wallet in this browser that can sign this. Open this page in the browser of your wallet’s app.',
    wrong: (address: string) =>
      `Choose the account ${address} in your wallet: it pays for this subscription.`,
    refused: (wallet: string, reason: string) => `${wallet} did not sign: ${reason}`,
  },

  task: {
    CANCEL: 'Cancel a subscription',
    REPAIR_APPROVAL: 'Renew an approval',
    TOP_UP: 'Add money to your wallet',
    nothing: 'There is nothing left to do here.',
    choose: 'Choose a subscription.',
  },
  support: 'Questions?',
} as const;
