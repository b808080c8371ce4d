import { NEWEST_FIRST, PLACE } from '../../../domain/paging/place.ts';
import { findLink } from '../../../domain/payment-link/find-link.ts';
import { planFilter } from '../../../domain/plan/plan-filter.ts';
import { builder } from '../builder.ts';
import { type GraphqlContext, scopeOf } from '../context.ts';
import { replaceCursor } from '../replace-cursor.ts';

export const PaymentLink = builder.prismaObject('PaymentLink', {
  description: 'A public page that sells a plan: it asks for the email and opens a checkout.',
  fields: (t) => ({
    id: t.exposeID('id', { requires: null, description: 'A UUID. It is public.' }),
    url: t.string({
      requires: null,
      description: 'URL of the page, to be shared. `?email=` fills the email in.',
      resolve: ({ id }, _args, { app }) => `${app.config.publicUrl}/pay/${id}`,
    }),
    qrSvgUrl: t.string({
      requires: null,
      description: 'URL of a QR code of the page as SVG.',
      resolve: ({ id }, _args, { app }) => `${app.config.publicUrl}/pay/${id}/qr.svg`,
    }),
    qrPngUrl: t.string({
      requires: null,
      description: 'URL of the same as PNG.',
      resolve: ({ id }, _args, { app }) => `${app.config.publicUrl}/pay/${id}/qr.png`,
    }),
    embedScriptUrl: t.string({
      requires: null,
      description: 'URL of the script that makes a button of a link to the page.',
      resolve: (_link, _args, { app }) => `${app.config.publicUrl}/embed.js`,
    }),
    name: t.exposeString('name', {
      requires: null,
      description: 'Your note, which customers do not see.',
    }),
    active: t.exposeBoolean('active', {
      requires: null,
      description: 'Whether it is on. The page of a link that is off says so.',
    }),
    plan: t.relation('plan', { description: 'The plan that it sells.' }),
    successUrl: t.exposeString('successUrl', {
      nullable: true,
      description: 'URL for the customer after completion; null if none was given.',
    }),
    cancelUrl: t.exposeString('cancelUrl', {
      nullable: true,
      description: 'URL for a customer who cancels; null if none was given.',
    }),
    metadata: t.expose('metadata', {
      type: 'JSON',
      description: 'Metadata of its checkout sessions, part of all webhooks about their subscriptions.',
    }),
    openedCount: t.exposeInt('openedCount', { description: 'Checkout sessions that it opened.' }),
    completedCount: t.exposeInt('completedCount', { description: 'Those of them that were completed.' }),
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
        planId: t.arg.string({ description: "Only links of this plan, by the merchant's id." }),
        active: t.arg.boolean({ description: 'Only links that are on, or off.' }),
      },
      description:
        'Payment links, newest first. Errors: `authentication_error`; `invalid_request`, param `planId`, or for a page out of range.',
      totalCount: async (_root, args, context) =>
        context.app.db.paymentLink.count({ where: await filterOf(context, args) }),
      resolve: async (query, _root, args, context) => {
        const { paymentLink } = context.app.db;
        const where = await filterOf(context, args);
        const { page, condition } = await replaceCursor(query, (id) =>
          paymentLink.findFirst({ where: { ...scopeOf(context), id }, select: PLACE }),
        );
        return paymentLink.findMany({ ...page, where: { AND: [where, condition] }, orderBy: NEWEST_FIRST });
      },
    },
    { name: 'PaymentLinkConnection', description: 'A page of payment links.' },
    { name: 'PaymentLinkEdge', description: 'An edge of a page of payment links.' },
  ),
}));

interface Filter {
  readonly planId?: string | null | undefined;
  readonly active?: boolean | null | undefined;
}

async function filterOf(context: GraphqlContext, { planId, active }: Filter) {
  const scope = scopeOf(context);
  const ofPlan = planId == null ? {} : await planFilter(context.app.db, scope, planId);
  return { ...scope, ...ofPlan, ...(active != null && { active }) };
}
