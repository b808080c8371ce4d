import { paymentsOf } from '../../../domain/accounts/customer/payments-of.ts';
import type { NextCharge } from '../../../domain/insight/forecast/next-charges.ts';
import { LIST_POSITION, NEWEST_FIRST } from '../../../domain/kernel/paging/list-position.ts';
import { MAX_TOTAL } from '../../../domain/kernel/paging/numbered-page.ts';
import { replaceCursor } from '../arguments/replace-cursor.ts';
import { builder } from '../builder.ts';
import { loadCustomerTotals } from '../loaders/customer-totals.ts';
import { loadCustomer } from '../loaders/customers.ts';
import { loadNextCharge } from '../loaders/next-charges.ts';
import { MintAmountRef } from './metrics.ts';
import { Payment, PaymentStatus } from './payment.ts';

const NextChargeRef = builder.objectRef<NextCharge>('NextCharge').implement({
  description: 'The next payment of a customer.',
  fields: (t) => ({
    at: t.expose('at', {
      type: 'DateTime',
      description: 'Due date of the payment; in the past if the payment is overdue.',
    }),
    amount: t.field({
      type: MintAmountRef,
      description: 'Price of the plan.',
      resolve: ({ mint, amount }) => ({ mint, amount }),
    }),
  }),
});

export const Customer = builder.prismaObject('Customer', {
  description:
    'A customer of the merchant: one email with one wallet. A person with two wallets is two customers.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'A UUID.' }),
    email: t.exposeString('email', { description: 'Email address that the merchant gave.' }),
    customerId: t.exposeString('customerId', {
      nullable: true,
      description: "The merchant's own id of the customer; null if none was given.",
    }),
    walletAddress: t.exposeString('walletAddress', { description: 'Wallet that pays. Base58.' }),
    billingName: t.exposeString('billingName', {
      nullable: true,
      description: 'Name of the buyer on later receipts; null if none was given.',
    }),
    billingAddress: t.exposeString('billingAddress', {
      nullable: true,
      description: 'Postal address of the buyer on later receipts, in lines; null if none was given.',
    }),
    taxId: t.exposeString('taxId', {
      nullable: true,
      description: 'Tax number of the buyer on later receipts; null if none was given.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When the customer was created.' }),
    totalPaid: t.field({
      type: [MintAmountRef],
      description: 'Total that the customer has paid so far, by token.',
      resolve: ({ id }, _args, context) => loadCustomerTotals(context, id),
    }),
    nextCharge: t.field({
      type: NextChargeRef,
      nullable: true,
      description:
        'The earliest next payment of all subscriptions of the customer, if nobody cancels; null if the customer will not be charged.',
      resolve: ({ id }, _args, context) => loadNextCharge(context, id),
    }),
    payments: t.prismaConnection(
      {
        type: 'Payment',
        cursor: 'id',
        args: { status: t.arg({ type: PaymentStatus, description: 'Only payments in this status.' }) },
        description:
          "The payments of all the customer's subscriptions, newest first. Errors: `invalid_request` for a page out of range.",
        totalCount: async (customer, { status }, { app }) =>
          app.db.payment.count({ where: await paymentsOf(app.db, customer, status), take: MAX_TOTAL }),
        resolve: async (query, customer, { status }, { app }) => {
          const where = await paymentsOf(app.db, customer, status);
          const { page, condition } = await replaceCursor(query, (id) =>
            app.db.payment.findFirst({ where: { AND: [where, { id }] }, select: LIST_POSITION }),
          );
          return app.db.payment.findMany({
            ...page,
            where: { AND: [where, condition] },
            orderBy: NEWEST_FIRST,
          });
        },
      },
      { name: 'CustomerPaymentConnection', description: "A page of a customer's payments." },
      { name: 'CustomerPaymentEdge', description: "One of a customer's payments, with its cursor." },
    ),
    subscriptions: t.relatedConnection(
      'subscriptions',
      {
        cursor: 'id',
        query: { orderBy: NEWEST_FIRST },
        totalCount: true,
        description:
          "The customer's subscriptions, newest first. Errors: `invalid_request` for a page out of range.",
      },
      { name: 'CustomerSubscriptionConnection', description: "A page of a customer's subscriptions." },
      {
        name: 'CustomerSubscriptionEdge',
        description: "One of a customer's subscriptions, with its cursor.",
      },
    ),
  }),
});

builder.prismaObjectField(Payment, 'customer', (t) =>
  t.field({
    type: Customer,
    select: { receipt: { select: { customerId: true } }, subscription: { select: { customerId: true } } },
    description:
      'The customer who paid: that of the receipt, or before it is issued that of the subscription. The same wallet may subscribe again as another customer, who then has the subscription.',
    resolve: ({ receipt, subscription }, _args, context) =>
      loadCustomer(context, receipt?.customerId ?? subscription.customerId),
  }),
);
