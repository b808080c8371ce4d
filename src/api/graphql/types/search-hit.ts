import { search } from '../../../domain/search/search.ts';
import type { SearchHit as Hit } from '../../../domain/search/search-hit.ts';
import { builder } from '../builder.ts';
import { scopeOf } from '../context.ts';

const SearchKind = builder.enumType('SearchKind', {
  description: 'What a search found.',
  values: {
    API_KEY: { description: 'An API key; one of `apiKeys`.' },
    CHECKOUT_SESSION: { description: 'For `checkoutSession(id)`.' },
    CUSTOMER: { description: 'For `customer(id)`.' },
    EVENT: { description: 'For `event(id)`.' },
    PAYMENT: { description: 'For `payment(id)`.' },
    PLAN: { description: 'For `plan(planId)`.' },
    RECEIPT: { description: 'For `receipt(number)`.' },
    SUBSCRIPTION: { description: 'For `subscription(id)`.' },
    WEBHOOK_DELIVERY: { description: 'For `webhookDelivery(id)`.' },
    WEBHOOK_ENDPOINT: { description: 'For `webhookEndpoint(id)`.' },
  } as const,
});

const SearchHit = builder.objectRef<Hit>('SearchHit').implement({
  description: 'Something that a search found.',
  fields: (t) => ({
    kind: t.expose('kind', { type: SearchKind, description: 'What it is.' }),
    id: t.exposeID('id', { description: 'What the query of its kind takes.' }),
    label: t.exposeString('label', {
      description:
        'Its name: an email, the name of a plan, the type of an event, a URL, the number of a receipt.',
    }),
    detail: t.exposeString('detail', {
      nullable: true,
      description: 'A second line, for example the wallet of a customer; null if there is none.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was created.' }),
  }),
});

builder.queryFields((t) => ({
  search: t.field({
    type: [SearchHit],
    args: {
      text: t.arg.string({
        required: true,
        description:
          "An id of this API, the address of a wallet, subscription or plan, the signature of a transaction, a plan's id, the number of a receipt (`305`, `#305` or `Receipt 305`), or the beginning of a customer's email or id. 1 to 255 characters.",
      }),
    },
    description:
      'What the merchant has under a text in this environment, at most 20 hits: exact matches first. Errors: `authentication_error`; `invalid_request`, param `text`.',
    resolve: (_root, { text }, context) => search(context.app.db, scopeOf(context), text),
  }),
}));
