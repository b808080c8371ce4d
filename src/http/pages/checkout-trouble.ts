import { html } from 'hono/html';
import type { BillingErrorCode } from '../../errors.ts';
import type { PublicError } from '../error-response.ts';
import type { Html } from './layout.ts';

type Code = BillingErrorCode | 'internal_error';

const NO_SUCH_CHECKOUT = [
  'There is no such checkout',
  'The link may be incomplete. Go back to where you came from, and start again.',
] as const;
const OUR_TROUBLE = [
  'This checkout cannot be shown just now',
  'The trouble is on our side. Nothing was lost: what you have approved counts. Wait a moment, then try again.',
] as const;
/** What a customer is told, who sees neither headers nor codes. */
const WORDS: Readonly<Partial<Record<Code, readonly [title: string, words: string]>>> = {
  not_found: NO_SUCH_CHECKOUT,
  rate_limit_exceeded: [
    'One moment, please',
    'Too much was asked from here just now. Wait a minute, then try again.',
  ],
};

/** In place of a checkout that cannot be shown. `path` is where it is. */
export function checkoutTrouble({ code }: PublicError, path: string): Html {
  const [title, words] = WORDS[code] ?? OUR_TROUBLE;
  const again = code === 'not_found' ? '' : html`<a class="button" href="${path}">Try again</a>`;
  return html`<main><div class="card nothing"><h1>${title}</h1><p class="soft">${words}</p>${again}</div></main>`;
}
