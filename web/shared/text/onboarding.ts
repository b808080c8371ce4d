/** Texts of the first steps. */
export const onboarding = {
  title: 'Get started',
  description: 'From an empty account to the first payment in LIVE.',
  progress: (done: number, all: number) => `${done} of ${all} done`,
  done: 'Done',
  next: 'Next',
  cardTitle: 'Get started',
  showAll: 'All steps',
  dismiss: 'Dismiss',
  dismissed: 'You find the steps under Get started.',
  dismissTitle: 'Hides this from the overview for your whole team.',
  allDone: 'Everything is set up',
  allDoneHint: {
    live: 'You sell in LIVE. The overview shows how it develops.',
    test: 'The overview shows what your customers pay.',
  },
  overview: 'Go to the overview',
  openPlan: 'Open your plan',
  steps: {
    PROFILE: {
      title: 'Complete your profile',
      hint: 'Customers see your logo on the checkout page, and write to your support address.',
      action: 'Open the settings',
    },
    PLAN_ACTIVE: {
      title: 'Publish a plan',
      hint: 'Set a price and an interval, then sign one transaction with your wallet.',
      action: 'Create a plan',
    },
    API_KEY: {
      title: 'Create an API key',
      hint: 'Your backend needs one to open checkouts. Keep it in the backend’s secrets.',
      action: 'Create a key',
    },
    WEBHOOK_DELIVERED: {
      title: 'Receive a webhook',
      hint: 'dues tells your backend when somebody subscribes, pays or cancels. Answer with status 200.',
      action: 'Add an endpoint',
    },
    TEST_CHECKOUT: {
      title: 'Subscribe as a customer',
      hint: 'Open a checkout of your plan in TEST and subscribe with a wallet. Your backend opens it like this:',
      action: 'Choose a plan',
    },
    PAYMENT: {
      title: 'See the first payment',
      hint: 'It is collected at once, or at the end of the free trial. It shows in the overview the moment it arrives.',
      action: 'Open the payments',
    },
    LIVE: {
      title: 'Go live',
      hint: 'Publish your plan in LIVE, and give your backend a LIVE key. Customers need about 0.003 SOL to subscribe, unless you let the service pay it (Settings).',
      action: 'Switch to LIVE',
    },
  },
} as const;
