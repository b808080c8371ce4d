import { getCustomer } from '../../../domain/accounts/customer/get-customer.ts';
import { countCustomers, customerIds } from '../../../domain/accounts/customer/list-customers.ts';
import { LIST_POSITION, NEWEST_FIRST } from '../../../domain/kernel/paging/list-position.ts';
import { replaceCursor } from '../arguments/replace-cursor.ts';
import { withoutNulls } from '../arguments/without-nulls.ts';
import { builder } from '../builder.ts';
import { scopeOf } from '../context.ts';
import { Customer } from './customer.ts';

builder.queryFields((t) => ({
  customer: t.prismaField({
    type: Customer,
    nullable: true,
    args: { id: t.arg.id({ required: true, description: 'Id of the customer.' }) },
    description: 'One customer. Errors: `authentication_error`; `not_found`, param `id`.',
    resolve: (query, _root, { id }, context) => getCustomer(context.app, scopeOf(context), id, query),
  }),
  customers: t.prismaConnection(
    {
      type: Customer,
      cursor: 'id',
      args: {
        search: t.arg.string({
          description:
            'Only customers whose email (ignoring case) or `customerId` begins with this text, or whose wallet has this complete address.',
        }),
        from: t.arg({ type: 'DateTime', description: 'Only customers created at this time or later.' }),
        to: t.arg({ type: 'DateTime', description: 'Only customers created before this time.' }),
      },
      description:
        'Customers, newest first. Errors: `authentication_error`; `invalid_request` for a page out of range, or param `search` or `to`.',
      totalCount: (_root, args, context) =>
        countCustomers(context.app.db, scopeOf(context), withoutNulls(args)),
      resolve: async (query, _root, args, context) => {
        const scope = scopeOf(context);
        const { db } = context.app;
        const { page, cursor } = await replaceCursor(query, (id) =>
          db.customer.findFirst({ where: { ...scope, id }, select: LIST_POSITION }),
        );
        const { take, ...selection } = page;
        const ids = await customerIds(db, scope, withoutNulls(args), { take, cursor });
        return db.customer.findMany({ ...selection, where: { id: { in: ids } }, orderBy: NEWEST_FIRST });
      },
    },
    { name: 'CustomerConnection', description: 'A page of customers.' },
    { name: 'CustomerEdge', description: 'One customer of a page, with the cursor.' },
  ),
}));
