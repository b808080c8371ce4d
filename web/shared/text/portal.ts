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
  noneOfWallet: 'This wallet pays for no subscriptions here. Sign in with the wallet you subscribed with.',
  noneHere: 'No subscriptions to show.',
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
  paused: 'Paused until you resume it',
  pausedUntil: (date: string) => `Paused until ${date}`,
  endsOn: (date: string) => `Ends on ${date}`,

  signIn: {
    title: 'See your subscriptions',
    hint: 'Sign in with the wallet that pays for them. You sign a message; no money moves.',
    wallets: 'Wallets in this browser',
    waiting: 'Confirm in your wallet.',
    none: 'No wallet in this browser',
    noneHint: 'Open this page in your wallet app’s browser, or install the wallet here.',
    reload: 'Reload',
    refused: (wallet: string, reason: string) => `${wallet} did not sign in: ${reason}`,
    email: 'Or get a link by email',
    emailLabel: 'Email address',
    emailHint: 'The address you subscribed with.',
    send: 'Send link',
    sent: 'Check your inbox',
    sentHint: (email: string) =>
      `If ${email} has subscriptions here, a link is on its way. It works once, for 15 minutes.`,
  },

  link: {
    title: (email: string | null, company: string) =>
      email === null ? `Sign in at ${company}?` : `Sign in as ${email} at ${company}?`,
    hint: 'This link works once. If you did not ask for it, do not sign in.',
    replaces: 'You are signed in already. This link ends that session. If you did not ask for it, keep it.',
    confirm: 'Sign in',
    keep: 'Keep my session',
    decline: 'Do not sign in',
  },

  summary: {
    next: (amount: string, date: string) => `${amount} will be charged on ${date}.`,
    overdue: 'A payment is overdue. It is retried automatically once the problem is fixed.',
    /** Why the approval no longer covers a charge. */
    lost: {
      REVOKED: 'The approval was revoked',
      REPLACED: 'Another app replaced the approval',
      CLOSED: 'The approval was closed',
    },
    lostNext: (reason: string, date: string) => `${reason}, so the charge of ${date} will fail.`,
    lostOverdue: (reason: string) => `${reason}, and a payment is overdue.`,
    renew: 'Renew the approval to keep the subscription.',
    subscribeAgain: 'To continue, subscribe again.',
    paused: (date: string) => `Paused from ${date}: you are not charged.`,
    pausedWithAccess: 'You keep access.',
    pausedWithout: 'You have no access in the pause.',
    untilDate: (amount: string, date: string) => `The pause ends on ${date}, when ${amount} will be charged.`,
    untilResumed: 'The pause lasts until it is resumed.',
    ending: (date: string) => `Ends on ${date}. Nothing more is charged.`,
    paidUntil: (date: string) => `Cancelled, and paid until ${date}. Nothing more is charged.`,
    ended: 'This subscription has ended. Nothing more is charged.',
    expired: 'This subscription ended because payments failed. To come back, subscribe again.',
  },

  wallet: {
    title: 'Your wallet',
    unread: 'The network is not available right now. Reload the page in a moment.',
    enough: (payments: number, date: string) =>
      payments === 1
        ? `Enough for 1 payment, until ${date}.`
        : `Enough for ${payments} payments, until ${date}.`,
    short: (missing: string) => `Not enough for the next payment: ${missing} is missing.`,
    closed: 'The wallet has no account for this token. Send some of it to the wallet to open one.',
    frozen: 'The token’s issuer has frozen the account of this wallet, so nothing can be charged.',
    balance: 'Balance',
    address: 'Wallet',
    revoked: 'The approval was revoked, so nothing can be charged, whatever the balance.',
    replaced: 'Another app replaced the approval, so nothing can be charged, whatever the balance.',
    gone: 'The approval was closed and cannot be renewed. To continue, subscribe again.',
  },

  discount: {
    title: 'Discount',
    always: (name: string, value: string) => `${name}: ${value} off every payment.`,
    until: (name: string, value: string, date: string, price: string) =>
      `${name}: ${value} off until ${date}. From then on you pay ${price}.`,
    left: (name: string, value: string, payments: number, price: string) =>
      payments === 1
        ? `${name}: ${value} off the next payment. After it you pay ${price}.`
        : `${name}: ${value} off ${payments} more payments. After them you pay ${price}.`,
  },

  permits: {
    title: 'Your approval',
    max: (amount: string, interval: string) => `At most ${amount} ${interval}. The network allows no more.`,
    abovePrice: (company: string) =>
      `${company} may collect more than the price, up to this limit, without asking again.`,
    to: (company: string) => `It can only go to ${company}.`,
    ended: 'Payments have stopped.',
    authority: 'Approval',
    subscription: 'Subscription',
    unlimited: 'My wallet says “unlimited”. Is this a scam?',
    unlimitedAnswers: (amount: string, interval: string, company: string) => [
      'No. Your wallet approves the Subscriptions program of the Solana Foundation, and that approval has no limit of its own, because it serves all your subscriptions with this token.',
      `The limit is in the program: for this subscription it moves at most ${amount} ${interval}, and only to ${company}. Nobody can change that, and what was not charged in one period is not added to the next.`,
      'dues, the service that collects for it, can do less still: it stops when you cancel here.',
      'You can revoke the approval in your wallet at any time. That stops all your subscriptions with this token.',
    ],
  },

  payments: {
    title: 'Payments',
    none: 'No payments yet.',
    SUCCEEDED: 'Paid',
    DUE: 'Due',
    FAILED: 'Not paid',
    MISSED: 'Not charged',
    WAIVED: 'Nothing to pay',
    refunded: 'Refunded',
    partlyRefunded: 'Partly refunded',
    refund: (refunded: string, amount: string) => `${refunded} of ${amount} was sent back to you`,
    proof: 'View transaction',
    receipt: 'Receipt',
  },

  billing: {
    title: 'Receipt details',
    hint: 'Used on later receipts. Past receipts do not change.',
    name: 'Name or company',
    address: 'Address',
    taxId: 'Tax ID',
    edit: 'Change',
    save: 'Save',
    cancel: 'Cancel',
    saved: 'Saved. Used on later receipts.',
    none: 'Only your email address.',
  },

  actions: {
    cancel: 'Cancel subscription',
    undo: 'Keep subscription',
    pause: 'Pause subscription',
    unpause: 'End the pause',
    cancel_on_chain: 'Remove the approval too',
    resume: 'Keep subscription',
    repair_approval: 'Renew approval',
    top_up: 'Add money',
    close: 'Get your deposit back',
  } satisfies Record<ActionName, string>,
  subscribeAgain: 'Subscribe again',
  subscribeAgainAt: (merchant: string) => `Subscribe again at ${merchant}`,

  cancel: {
    title: 'Cancel subscription',
    hint: (date: string) => `You keep it until ${date}, and nothing more is charged.`,
    hintNow: 'Nothing more is charged.',
    why: 'Why are you cancelling? (optional)',
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
  pause: {
    title: 'Pause subscription',
    hint: 'You are not charged in a pause, and have no access. It ends by itself.',
    periods: 'How many payments do you want to skip?',
    dates: (from: string, until: string) =>
      `The pause begins on ${from} and ends on ${until}, when you are charged again.`,
    afterDue: 'A payment is due now and comes first. The pause begins at the payment after it.',
    confirm: 'Pause subscription',
    keep: 'Do not pause',
    done: 'The subscription is paused.',
    endTitle: 'End the pause',
    endHint: 'Pay now and continue at once, or continue at the next payment date without paying now.',
    takeBackHint: 'The pause has not begun. Without it, the next payment is charged as before.',
    payNow: (price: string) => `Pay now: ${price}`,
    continueLater: 'Continue at the next payment date',
    takeBack: 'Do not pause',
    stay: 'Stay paused',
    ended: 'The pause ends.',
  },
  kept: 'The subscription continues.',
  onChainHint:
    'Nothing more is charged. Your wallet still holds the approval for this subscription on the network; you can remove it with one signature.',
  repairHint: 'One signature renews the approval of your wallet. The price and the limit stay the same.',
  closeHint:
    'The account of this subscription on the network holds a small deposit in SOL. One signature closes the account and returns the deposit to your wallet.',
  resumeHint: 'You cancelled it with your wallet. One signature undoes that.',

  topUp: {
    title: 'Add money',
    hint: (symbol: string) =>
      `Send ${symbol} on Solana to your wallet, from another wallet or from an exchange. This page updates automatically.`,
    count: 'How much?',
    payments: (count: number, amount: string) =>
      count === 1 ? `1 payment: ${amount}` : `${count} payments: ${amount}`,
    to: 'Send to',
    token: 'Token',
    qr: 'QR code for wallets: send the amount to this wallet',
    open: 'Open in wallet',
    close: 'Close',
    arrived: 'The money has arrived.',
  },

  duplicates: {
    title: 'Not charged',
    of: (plan: string, company: string) => `${plan} at ${company}`,
    hint: 'Another wallet completed this checkout, so this wallet is not charged for it.',
    cancel:
      'Its account on the network holds a small deposit in SOL. Cancel it with one signature first; a second signature returns the deposit later.',
    closableAt: (date: string) =>
      `It is cancelled. From ${date} you can get the deposit back here with one signature.`,
  },

  sign: {
    with: (wallet: string) => `Sign with ${wallet}`,
    waiting: 'Confirm in your wallet.',
    sent: 'Sent. Waiting for the network.',
    done: 'Done.',
    late: 'The network has not confirmed it yet. Reload the page in a moment.',
    none: 'No wallet in this browser can sign this. Open this page in your wallet app’s browser.',
    wrong: (address: string) =>
      `Choose the account ${address} in your wallet: it pays for this subscription.`,
    refused: (wallet: string, reason: string) => `${wallet} did not sign: ${reason}`,
  },

  task: {
    CANCEL: 'Cancel a subscription',
    REPAIR_APPROVAL: 'Renew an approval',
    TOP_UP: 'Add money to your wallet',
    nothing: 'Nothing left to do here.',
    choose: 'Choose a subscription.',
  },
  support: 'Questions?',
} as const;
