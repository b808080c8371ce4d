import { search } from '../../../domain/insight/search/search.ts';
import type { SearchHit as Hit } from '../../../domain/insight/search/search-hit.ts';
import { builder } from '../builder.ts';
import { scopeOf } from '../context.ts';

const SearchKind = builder.enumType('SearchKind', {
  description: 'Kind of object that a search found.',
  values: {
    API_KEY: { description: 'An API key, which `apiKeys` lists.' },
    CHECKOUT_SESSION: { description: 'A checkout session: read it with `checkoutSession(id)`.' },
    CUSTOMER: { description: 'A customer: read it with `customer(id)`.' },
    DISCOUNT: { description: 'A discount: read it with `discount(id)`.' },
    EVENT: { description: 'An event: read it with `event(id)`.' },
    PAYMENT: { description: 'A payment: read it with `payment(id)`.' },
    PLAN: { description: 'A plan: read it with `plan(planId)`.' },
    RECEIPT: { description: 'A receipt: read it with `receipt(number)`.' },
    SUBSCRIPTION: { description: 'A subscription: read it with `subscription(id)`.' },
    WEBHOOK_DELIVERY: { description: 'A webhook delivery: read it with `webhookDelivery(id)`.' },
    WEBHOOK_ENDPOINT: { description: 'A webhook endpoint: read it with `webhookEndpoint(id)`.' },
  } as const,
});

const SearchHit = builder.objectRef<Hit>('SearchHit').implement({
  description: 'One object that a search found.',
  fields: (t) => ({
    kind: t.expose('kind', { type: SearchKind, description: 'Kind of the object.' }),
    id: t.exposeID('id', { description: 'The id or number that the query for this kind takes.' }),
    label: t.exposeString('label', {
      description:
        'Label of the object, for example the email of a customer, the name of a plan, the type of an event, a URL or the number of a receipt.',
    }),
    detail: t.exposeString('detail', {
      nullable: true,
      description: 'Second line of the label, for example the wallet of a customer; null if there is none.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When the object was created.' }),
  }),
});

builder.queryFields((t) => ({
  search: t.field({
    type: [SearchHit],
    args: {
      text: t.arg.string({
        required: true,
        description:
          "Text to search for, 1 to 255 characters: an id of any object of this API; the address of a wallet, subscription or plan; the signature of a transaction; a plan's id; the number of a receipt (`305`, `#305` or `Receipt 305`); the beginning of a customer's email or id; or the beginning of a discount's name or code.",
      }),
    },
    description:
      'Objects of the merchant in this environment that match a text, exact matches first; at most 20. Errors: `authentication_error`; `invalid_request`, param `text`.',
    resolve: (_root, { text }, context) => search(context.app.db, scopeOf(context), text),
  }),
}));
