/** Says what the merchant may collect in an interval, which can be more than the price. */
export const most = (company: string, limit: string, interval: string, isAbovePrice: boolean) =>
  isAbovePrice
    ? `${company} may collect more than the price without asking again: at most ${limit} every ${interval}, and never more than that.`
    : `${company} may collect at most ${limit} every ${interval}, and never more than that.`;

/** Texts of the checkout page. */
export const checkout = {
  for: 'For',
  token: 'Token',
  timeLeft: 'Time left',
  until: (time: string) => `until ${time}`,
  noTrial: 'This wallet has already had its free trial.',

  code: {
    label: 'Discount code',
    enter: 'Apply the code',
    remove: 'Remove the discount',
    failed: 'The code was not applied. Try again.',
  },
  choose: {
    title: 'Subscribe with your wallet',
    noWallet: 'This browser has no Solana wallet. Use one on your phone, or install one and reload the page.',
    noScript:
      'This page cannot open a wallet without JavaScript. Scan the code or follow a link below, and approve in your wallet. This page then shows the result.',
    asked: 'A wallet has opened this checkout. Approve it there: this page updates automatically.',
  },
  devices: {
    walletApp: 'Pay with a wallet app',
    others: 'Other ways to pay',
    app: 'Continue in the app',
    openIn: 'Open this page in',
    scan: 'Pay with a wallet on your phone',
    scanCode: 'QR code for a wallet with Solana Pay',
    scanHint:
      'Scan this with Phantom, Solflare, Backpack or another Solana wallet. Nothing is paid until you approve it there.',
    scanApp: 'Use the app on your phone',
    scanAppCode: 'QR code that opens this checkout in the app',
    scanAppHint: 'Scan this with the phone that has the app. Nothing is paid until you approve it there.',
  },

  review: {
    title: 'Your wallet',
    balance: 'Balance',
    dueNow: 'Due now',
    nothing: 'nothing',
    nextPayment: 'Next payment',
    networkFee: 'Network fee',
    sponsored: 'paid for you',
    deposits: 'Deposits, returned to you when the subscription is closed',
    recommended: (amount: string) => `${amount} is recommended: it covers three payments.`,
    approve: 'Approve subscription',
    again: 'Check again',
    other: 'Use another wallet',
  },
  topUp: {
    sol: 'SOL',
    code: (amount: string) => `QR code to send ${amount} to this wallet`,
    send: (amounts: readonly string[]) =>
      `Send ${amounts.join(' and ')} to this wallet. The page continues when it has arrived.`,
    address: 'The address of this wallet:',
    copy: 'Copy the address',
    copied: 'Copied',
    notCopied: 'Select the address to copy it',
  },

  working: {
    connect: (wallet: string) => `Connect ${wallet}`,
    connectHint: 'Your wallet asks whether this page may see its address.',
    checking: 'Checking your wallet',
    preparing: 'Preparing',
    moment: 'This takes a moment.',
    approve: (wallet: string) => `Approve in ${wallet}`,
    approveHint: 'Your wallet shows what you approve and the network fee.',
    confirming: 'Confirming',
    firstDone: 'The first of two approvals is done.',
    confirmingHint: 'The network is confirming your approval. This takes a few seconds.',
  },
  done: {
    title: 'You are subscribed',
    back: (company: string) => `Taking you back to ${company}.`,
    continue: 'Continue',
  },
  otherWallet: {
    title: 'Another wallet has subscribed',
    hint: 'This checkout was completed with another wallet. The wallet you approved with is not charged, but its subscription holds a deposit in SOL. Sign in with that wallet to cancel it and get the deposit back.',
    link: 'Get your deposit back',
  },
  problems: {
    notConnected: (wallet: string) => `${wallet} was not connected.`,
    notApproved: (wallet: string, reason: string) =>
      `You did not approve it in ${wallet}${reason}. You were not charged.`,
    notConfirmed:
      'The network has not confirmed your approval. If your wallet shows it as sent, wait a moment; otherwise try again.',
    tooMany: 'Too many requests from your network. Wait a minute, then try again.',
    unreachable: 'The service cannot be reached. Try again.',
  },

  terms: {
    title: 'What you approve',
    first: (amount: string) => `The first payment, ${amount}, is collected when you have approved.`,
    firstAfterTrial: (amount: string, length: string, date: string) =>
      `The first payment, ${amount}, is collected ${length} after you have approved: on ${date} (UTC) if you approve now.`,
    firstThenNext: (amount: string, next: string) =>
      `The first payment, ${amount}, is collected when you have approved. The next one is ${next}.`,
    nothingNow: (next: string) => `Nothing is collected now. The next payment is ${next}.`,
    on: (amount: string, date: string) => `${amount} on ${date}`,
    utc: (time: string) => `${time} (UTC)`,
    lines: (company: string, amount: string, interval: string, isAbovePrice: boolean) => [
      most(company, amount, interval, isAbovePrice),
      `Your wallet may call the approval unlimited: it is given to a public program on Solana, which allows ${company} that amount and no more.`,
      `The money goes from your wallet to ${company} and nowhere else. Until then it stays in your wallet.`,
      'You can revoke the approval at any time. The most that may be collected cannot change without a new approval.',
    ],
    issuer: {
      canFreeze: 'The issuer of the token can freeze the tokens in your wallet.',
      canTake: 'The issuer of the token can take or destroy the tokens in your wallet.',
      canPause: 'The issuer of the token can stop all its transfers.',
      canClose: 'The issuer of the token can end the token when nobody has any.',
    },
  },
  cancel: (company: string) => `Cancel and go back to ${company}`,
  back: (company: string) => `Go back to ${company}`,

  ended: {
    settling: 'Time is up',
    settlingHint:
      'If you approved in your wallet, you need not do anything: this page shows the result in a moment.',
    expired: 'This checkout has expired',
    startAgain: (company: string) => `Start again at ${company}.`,
    unsure: 'If your wallet shows an approval for it, ask there first.',
  },

  result: {
    complete: 'This checkout is complete',
    cancelled: 'This subscription is cancelled',
    expired: 'This subscription has ended',
    subscribed: 'You are subscribed',
    payment: (amount: string | null) => (amount === null ? 'payment' : `payment of ${amount}`),
    pastDue: (payment: string) =>
      `The ${payment} could not be collected yet. Manage the subscription to see what is missing.`,
    collecting: (payment: string) => `The ${payment} is being collected.`,
    inAMoment: 'This page shows it in a moment.',
    paid: 'Paid',
    first: 'First payment',
    next: 'Next payment',
    accessUntil: 'Access until',
    amountOn: (amount: string | null, date: string) =>
      amount === null ? `on ${date}` : `${amount} on ${date}`,
    back: (company: string) => `Back to ${company}`,
  },
} as const;
