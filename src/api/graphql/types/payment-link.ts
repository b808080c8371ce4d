import { planFilter } from '../../../domain/catalog/plan/plan-filter.ts';
import { findLink } from '../../../domain/checkout/payment-link/find-link.ts';
import { LIST_POSITION, NEWEST_FIRST } from '../../../domain/kernel/paging/list-position.ts';
import { replaceCursor } from '../arguments/replace-cursor.ts';
import { builder } from '../builder.ts';
import { type GraphqlContext, scopeOf } from '../context.ts';

export const PaymentLink = builder.prismaObject('PaymentLink', {
  description: "A public page that sells a plan. It asks for the customer's email and opens a checkout.",
  fields: (t) => ({
    id: t.exposeID('id', { requires: null, description: 'A UUID. It is part of the public URL.' }),
    url: t.string({
      requires: null,
      description: 'URL of the page, to share with customers. Add `?email=` to fill in the email.',
      resolve: ({ id }, _args, { app }) => `${app.config.publicUrl}/pay/${id}`,
    }),
    qrSvgUrl: t.string({
      requires: null,
      description: 'URL of an SVG image of a QR code that opens the page.',
      resolve: ({ id }, _args, { app }) => `${app.config.publicUrl}/pay/${id}/qr.svg`,
    }),
    qrPngUrl: t.string({
      requires: null,
      description: 'URL of a PNG image of the same QR code.',
      resolve: ({ id }, _args, { app }) => `${app.config.publicUrl}/pay/${id}/qr.png`,
    }),
    embedScriptUrl: t.string({
      requires: null,
      description: 'URL of a script that turns a link to the page into a button.',
      resolve: (_link, _args, { app }) => `${app.config.publicUrl}/embed.js`,
    }),
    name: t.exposeString('name', {
      requires: null,
      description: 'Name of the link. Customers do not see it.',
    }),
    active: t.exposeBoolean('active', {
      requires: null,
      description: 'Whether customers can use the link. If not, its page says that it is off.',
    }),
    plan: t.relation('plan', { description: 'The plan that the link sells.' }),
    successUrl: t.exposeString('successUrl', {
      nullable: true,
      description: 'URL for the customer after completion; null if none was given.',
    }),
    cancelUrl: t.exposeString('cancelUrl', {
      nullable: true,
      description: 'URL for a customer who cancels the checkout; null if none was given.',
    }),
    allowsCodes: t.exposeBoolean('allowsCodes', {
      description: 'Whether customers may enter a code of a discount.',
    }),
    metadata: t.expose('metadata', {
      type: 'JSON',
      description:
        'JSON object that is copied to the checkout sessions of the link, and is part of all webhooks about their subscriptions.',
    }),
    openedCount: t.exposeInt('openedCount', {
      description: 'Number of checkout sessions that the link opened.',
    }),
    completedCount: t.exposeInt('completedCount', {
      description: 'Number of these sessions that were completed.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When the link was created.' }),
  }),
});

builder.queryFields((t) => ({
  paymentLink: t.prismaField({
    type: PaymentLink,
    nullable: true,
    args: { id: t.arg.id({ required: true, description: 'Id of the link.' }) },
    description: 'One payment link. Errors: `authentication_error`; `not_found`, param `id`.',
    resolve: (query, _root, { id }, context) => findLink(context.app.db, scopeOf(context), id, query),
  }),
  paymentLinks: t.prismaConnection(
    {
      type: PaymentLink,
      cursor: 'id',
      args: {
        planId: t.arg.string({ description: 'Only links that sell the plan with this `planId`.' }),
        active: t.arg.boolean({
          description: 'True lists only links that are on, false only links that are off.',
        }),
      },
      description:
        'Payment links, newest first. Errors: `authentication_error`; `invalid_request`, param `planId`, or for a page out of range.',
      totalCount: async (_root, args, context) =>
        context.app.db.paymentLink.count({ where: await filterOf(context, args) }),
      resolve: async (query, _root, args, context) => {
        const { paymentLink } = context.app.db;
        const where = await filterOf(context, args);
        const { page, condition } = await replaceCursor(query, (id) =>
          paymentLink.findFirst({ where: { ...scopeOf(context), id }, select: LIST_POSITION }),
        );
        return paymentLink.findMany({ ...page, where: { AND: [where, condition] }, orderBy: NEWEST_FIRST });
      },
    },
    { name: 'PaymentLinkConnection', description: 'A page of payment links.' },
    { name: 'PaymentLinkEdge', description: 'One payment link of a page, with its cursor.' },
  ),
}));

interface Filter {
  readonly planId?: string | null | undefined;
  readonly active?: boolean | null | undefined;
}

async function filterOf(context: GraphqlContext, { planId, active }: Filter) {
  const scope = scopeOf(context);
  const planCondition = planId == null ? {} : await planFilter(context.app.db, scope, planId);
  return { ...scope, ...planCondition, ...(active != null && { active }) };
}
