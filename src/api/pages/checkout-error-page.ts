import { html } from 'hono/html';
import type { BillingErrorCode } from '../../errors.ts';
import type { PublicError } from '../errors/error-response.ts';
import type { Html } from './layout.ts';

type Code = BillingErrorCode | 'internal_error';

const NO_SUCH_CHECKOUT = [
  'This checkout does not exist',
  'The link may be incomplete. Go back to the shop and start again.',
] as const;
const INTERNAL_ERROR = [
  'This checkout cannot be shown',
  'This is an error on our side. What you have approved is not lost. Wait a moment, then try again.',
] as const;
/** Texts for customers, who do not see headers and codes. */
const TEXTS: Readonly<Partial<Record<Code, readonly [title: string, text: string]>>> = {
  not_found: NO_SUCH_CHECKOUT,
  rate_limit_exceeded: [
    'One moment, please',
    'Too many requests from your network. Wait a minute, then try again.',
  ],
};

const NO_SUCH_LINK = [
  'This link does not exist',
  'It may be incomplete. Ask the shop for a new one.',
] as const;

/** Renders an error instead of a checkout or a payment link, whose path is `path`. */
export function checkoutErrorPage({ code }: PublicError, path: string): Html {
  const isLink = path.startsWith('/pay/') && code === 'not_found';
  const [title, text] = isLink ? NO_SUCH_LINK : (TEXTS[code] ?? INTERNAL_ERROR);
  const retryButton = code === 'not_found' ? '' : html`<a class="button" href="${path}">Try again</a>`;
  return html`<main><div class="card nothing"><h1>${title}</h1><p class="soft">${text}</p>${retryButton}</div></main>`;
}
