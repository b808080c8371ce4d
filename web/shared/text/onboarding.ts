/** Texts of the setup steps. */
export const onboarding = {
  title: 'Get started',
  description: 'From an empty account to the first payment in LIVE.',
  progress: (done: number, all: number) => `${done} of ${all} done`,
  done: 'Done',
  next: 'Next',
  cardTitle: 'Get started',
  showAll: 'All steps',
  dismiss: 'Dismiss',
  dismissed: 'Find the steps under Get started.',
  dismissTitle: 'Hides this from the overview for your whole team.',
  allDone: 'Everything is set up',
  allDoneHint: {
    live: 'You are selling in LIVE. See the results in the overview.',
    test: 'The overview shows what your customers pay.',
  },
  overview: 'Go to the overview',
  openPlan: 'Open your plan',
  steps: {
    PROFILE: {
      title: 'Complete your profile',
      hint: 'Customers see your logo on the checkout page, and write to your support address.',
      action: 'Open settings',
    },
    PLAN_ACTIVE: {
      title: 'Publish a plan',
      hint: 'Set a price and an interval, then sign one transaction with your wallet.',
      action: 'Create plan',
    },
    API_KEY: {
      title: 'Create an API key',
      hint: 'Your backend needs one to open checkouts. Keep it in the backend’s secrets.',
      action: 'Create key',
    },
    WEBHOOK_DELIVERED: {
      title: 'Receive a webhook',
      hint: 'dues notifies your backend when someone subscribes, pays or cancels. Respond with status 200.',
      action: 'Add endpoint',
    },
    TEST_CHECKOUT: {
      title: 'Subscribe as a customer',
      hint: 'Open a checkout for your plan in TEST and subscribe with a wallet. Your backend opens it like this:',
      action: 'Choose a plan',
    },
    PAYMENT: {
      title: 'See the first payment',
      hint: 'It is collected at once, or after the free trial, and appears in the overview immediately.',
      action: 'Open payments',
    },
    LIVE: {
      title: 'Go live',
      hint: 'Publish your plan in LIVE, and give your backend a LIVE key. Customers need about 0.003 SOL to subscribe, unless the service pays it (see Settings).',
      action: 'Switch to LIVE',
    },
  },
} as const;
