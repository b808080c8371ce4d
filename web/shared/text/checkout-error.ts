import type { CheckoutProblem } from '../../../src/api/pages/page-data.ts';

/** Texts instead of a checkout or a payment link, for customers, who do not see headers and codes. */
export const checkoutError = {
  documentTitle: 'Checkout',
  problems: {
    NO_CHECKOUT: {
      title: 'This checkout does not exist',
      hint: 'The link may be incomplete. Go back to the shop and start again.',
    },
    NO_LINK: {
      title: 'This link does not exist',
      hint: 'It may be incomplete. Ask the shop for a new one.',
    },
    TOO_MANY_REQUESTS: {
      title: 'One moment, please',
      hint: 'Too many requests from your network. Wait a minute, then try again.',
    },
    INTERNAL: {
      title: 'This checkout cannot be shown',
      hint: 'This is an error on our side. What you have approved is not lost. Wait a moment, then try again.',
    },
  } satisfies Record<CheckoutProblem, { title: string; hint: string }>,
  retry: 'Try again',
} as const;
