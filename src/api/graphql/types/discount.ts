import { findDiscount } from '../../../domain/billing/discount/find-discount.ts';
import { discountState } from '../../../domain/billing/discount/is-offered.ts';
import { LIST_POSITION, NEWEST_FIRST } from '../../../domain/kernel/paging/list-position.ts';
import { replaceCursor } from '../arguments/replace-cursor.ts';
import { builder } from '../builder.ts';
import { scopeOf } from '../context.ts';
import { loadPlan } from '../loaders/plans.ts';
import { Asset, assetOf } from './asset.ts';
import { Plan } from './plan.ts';
import { BillingSubscription } from './subscription.ts';

const DiscountState = builder.enumType('DiscountState', {
  description: 'Whether customers get a discount, or why they do not.',
  values: {
    ON: { description: 'Customers get it.' },
    OFF: { description: 'It is switched off.' },
    NOT_STARTED: { description: '`startsAt` is in the future.' },
    ENDED: { description: '`endsAt` is over.' },
    USED_UP: { description: '`maxRedemptions` are taken.' },
  } as const,
});

const RedemptionStatus = builder.enumType('RedemptionStatus', {
  description: 'Status of one use of a discount.',
  values: {
    RESERVED: { description: 'A checkout holds it: its wallet got transactions to sign.' },
    REDEEMED: { description: 'A subscription has, or had, the discount.' },
    RELEASED: { description: 'The checkout was left, or its customer removed the discount.' },
  } as const,
});

builder.prismaObject('DiscountRedemption', {
  description: 'One use of a discount.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'A UUID.' }),
    status: t.expose('status', { type: RedemptionStatus, description: 'Status of the redemption.' }),
    subscription: t.relation('subscription', {
      type: BillingSubscription,
      nullable: true,
      description: 'The subscription that has, or had, the discount; null if there is none.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was reserved or redeemed.' }),
  }),
});

export const Discount = builder.prismaObject('Discount', {
  description: 'A reduction of the price of subscriptions. Its value and its duration never change.',
  fields: (t) => ({
    id: t.exposeID('id', { requires: null, description: 'A UUID.' }),
    name: t.exposeString('name', { description: 'Name of the discount, which customers read.' }),
    code: t.exposeString('code', {
      nullable: true,
      description: 'Code that customers enter in any case; null if only the merchant gives the discount.',
    }),
    percentBps: t.exposeInt('percentBps', {
      nullable: true,
      description: 'Part of the price, in hundredths of a percent; null for a fixed amount.',
    }),
    amount: t.expose('amount', {
      type: 'TokenAmount',
      nullable: true,
      description: 'Fixed amount in base units of `mint`; null for a part of the price.',
    }),
    mint: t.exposeString('mint', {
      nullable: true,
      description: 'Mint of the fixed amount, in base58; null for a part of the price.',
    }),
    asset: t.field({
      type: Asset,
      nullable: true,
      description: 'The token of the fixed amount; null for a part of the price.',
      resolve: ({ environment, mint }, _args, context) =>
        mint === null ? null : assetOf(context, environment, mint),
    }),
    periods: t.exposeInt('periods', {
      nullable: true,
      description: 'Number of payments that the discount reduces; null for all.',
    }),
    plans: t.field({
      type: [Plan],
      select: { planIds: true },
      complexity: 20,
      description: 'Plans for which the discount is; empty for all.',
      resolve: async ({ planIds }, _args, context) =>
        (await Promise.all(planIds.map((id) => loadPlan(context, id)))).filter((plan) => plan !== null),
    }),
    maxRedemptions: t.exposeInt('maxRedemptions', {
      nullable: true,
      description: 'Maximum redemptions; null for no maximum.',
    }),
    maxPerCustomer: t.exposeInt('maxPerCustomer', {
      nullable: true,
      description: 'Maximum redemptions by codes and checkouts of one customer; null for no maximum.',
    }),
    firstPurchaseOnly: t.exposeBoolean('firstPurchaseOnly', {
      description: 'Whether only customers without an earlier subscription get the discount.',
    }),
    startsAt: t.expose('startsAt', {
      type: 'DateTime',
      nullable: true,
      description: 'From when customers get the discount; null for at once.',
    }),
    endsAt: t.expose('endsAt', {
      type: 'DateTime',
      nullable: true,
      description:
        'Until when customers get the discount; null for no end. Subscriptions that have it keep it.',
    }),
    isActive: t.exposeBoolean('isActive', {
      description: 'Whether customers get the discount. Subscriptions that have it keep it.',
    }),
    state: t.field({
      type: DiscountState,
      description: 'Whether customers get the discount now.',
      resolve: (discount, _args, { app }) => discountState(discount, app.clock.now()),
    }),
    taken: t.exposeInt('taken', {
      description:
        'Number of redemptions that are reserved or redeemed. It exceeds `maxRedemptions` by those whose wallets had signed before their redemptions were given back.',
    }),
    redemptions: t.relatedConnection(
      'redemptions',
      {
        cursor: 'id',
        query: { orderBy: [{ createdAt: 'desc' }, { id: 'desc' }] },
        totalCount: true,
        description: 'Uses of the discount, newest first. Errors: `invalid_request` for a page out of range.',
      },
      { name: 'DiscountRedemptionConnection', description: 'A page of the uses of a discount.' },
      { name: 'DiscountRedemptionEdge', description: 'One use of a discount, with its cursor.' },
    ),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When the discount was created.' }),
  }),
});

builder.queryFields((t) => ({
  discount: t.prismaField({
    type: Discount,
    nullable: true,
    args: { id: t.arg.id({ required: true, description: 'Id of the discount.' }) },
    description: 'One discount. Errors: `authentication_error`; `not_found`, param `id`.',
    resolve: async (query, _root, { id }, context) => {
      const found = await findDiscount(context.app.db, scopeOf(context), id, 'id');
      return context.app.db.discount.findUnique({ ...query, where: { id: found.id } });
    },
  }),
  discounts: t.prismaConnection(
    {
      type: Discount,
      cursor: 'id',
      args: {
        isActive: t.arg.boolean({
          description: 'True lists only discounts that are switched on, false only the others.',
        }),
      },
      description:
        'Discounts, newest first. Errors: `authentication_error`; `invalid_request` for a page out of range.',
      totalCount: (_root, { isActive }, context) =>
        context.app.db.discount.count({ where: { ...scopeOf(context), isActive: isActive ?? undefined } }),
      resolve: async (query, _root, { isActive }, context) => {
        const scope = scopeOf(context);
        const { discount } = context.app.db;
        const { page, condition } = await replaceCursor(query, (id) =>
          discount.findFirst({ where: { ...scope, id }, select: LIST_POSITION }),
        );
        const where = { ...scope, isActive: isActive ?? undefined, ...condition };
        return discount.findMany({ ...page, where, orderBy: NEWEST_FIRST });
      },
    },
    { name: 'DiscountConnection', description: 'A page of discounts.' },
    { name: 'DiscountEdge', description: 'One discount of a page, with its cursor.' },
  ),
}));
