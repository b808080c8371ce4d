import type { AccessReason } from '../../../domain/billing/customer-state/access.ts';
import { type ChangedStates, changedStates } from '../../../domain/billing/customer-state/changed-states.ts';
import {
  type AsOf,
  type CustomerStateNow,
  getState,
  getStates,
} from '../../../domain/billing/customer-state/get-states.ts';
import type { StateDocument } from '../../../domain/billing/customer-state/state-document.ts';
import type { Features } from '../../../domain/catalog/plan/features.ts';
import { builder } from '../builder.ts';
import { scopeOf } from '../context.ts';
import { SubscriptionStatus } from './subscription.ts';

const AccessReasonRef = builder.enumType('AccessReason', {
  description: 'Why a subscription gives access, or gives none.',
  values: {
    ACTIVE: { description: 'It is paid, or in its trial.' },
    PAUSED: { description: 'It is paused without access.' },
    PAST_DUE: { description: 'A payment has failed and is retried. Access goes on meanwhile.' },
    GRACE: {
      description:
        "Its payment has failed for the last time, and the merchant's grace is not over: access until then.",
    },
    UNPAID: {
      description:
        'Its payment has failed for the last time, and waits for a top-up: `retryPolicy` UNTIL_PAID of the plan.',
    },
    CANCELLED: { description: 'It is cancelled: access until the end of the paid time.' },
    EXPIRED: { description: 'Too many payments have failed.' },
  } satisfies Record<AccessReason, { description: string }>,
});

const CustomerFeature = builder
  .objectRef<{ key: string; value: true | number }>('CustomerFeature')
  .implement({
    description: 'Something that a customer may use.',
    fields: (t) => ({
      key: t.exposeString('key', { description: "The merchant's key of the feature." }),
      limit: t.float({
        nullable: true,
        description: 'The highest limit of the plans that give access; null without a limit.',
        resolve: ({ value }) => (value === true ? null : value),
      }),
    }),
  });

const CustomerAccess = builder.objectRef<StateDocument['subscriptions'][number]>('CustomerAccess').implement({
  description: 'The access that one subscription of a customer gives.',
  fields: (t) => ({
    subscriptionId: t.exposeString('subscriptionId', {
      description: 'Address of the subscription on chain.',
    }),
    planId: t.exposeString('planId', { description: "The merchant's id of the plan." }),
    status: t.expose('status', { type: SubscriptionStatus, description: 'Status of the subscription.' }),
    hasAccess: t.exposeBoolean('hasAccess', { description: 'Whether it gives access.' }),
    until: t.field({
      type: 'DateTime',
      nullable: true,
      description:
        'When its access ends if nothing changes; null if no end is known, or if there is no access.',
      resolve: ({ until }) => (until === null ? null : new Date(until)),
    }),
    reason: t.expose('reason', { type: AccessReasonRef, description: 'Why it gives access, or gives none.' }),
    startedAt: t.field({
      type: 'DateTime',
      description: 'When the subscription started on chain.',
      resolve: ({ startedAt }) => new Date(startedAt),
    }),
  }),
});

const AsOfRef = builder.objectRef<AsOf>('CustomerStateAsOf').implement({
  description: 'How far dues has followed the chain. A state stays as it is while dues is behind.',
  fields: (t) => ({
    slot: t.string({
      nullable: true,
      description:
        'All changes on chain up to this slot are in the state; null if the chain was never followed.',
      resolve: ({ slot }) => (slot === null ? null : String(slot)),
    }),
    mirrorBehindSeconds: t.exposeInt('mirrorBehindSeconds', {
      nullable: true,
      description: 'Seconds since a block was last seen; null if none was ever seen.',
    }),
  }),
});

export const CustomerState = builder.objectRef<CustomerStateNow>('CustomerState').implement({
  description: 'What a customer of the merchant may do now.',
  fields: (t) => ({
    customerId: t.exposeString('customerId', {
      description: "The merchant's id of the customer, or the `id` of a customer without one.",
    }),
    hasAccess: t.exposeBoolean('hasAccess', { description: 'Whether any subscription gives access.' }),
    features: t.field({
      type: [CustomerFeature],
      description: 'What the plans that give access allow together, by key.',
      resolve: ({ features }) => listOf(features),
    }),
    subscriptions: t.expose('subscriptions', {
      type: [CustomerAccess],
      description: 'At most 100 subscriptions: those that give access first, then the newest.',
    }),
    version: t.exposeInt('version', {
      description:
        'The number of changes of this customer so far: of two states the one with the higher version is newer. 0 for a customer who never subscribed.',
    }),
    validUntil: t.expose('validUntil', {
      type: 'DateTime',
      nullable: true,
      description: 'When the state changes by time alone; null if it does not.',
    }),
    asOf: t.expose('asOf', { type: AsOfRef, description: 'How far dues has followed the chain.' }),
  }),
});

function listOf(features: Features) {
  return Object.entries(features)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, value]) => ({ key, value }));
}

const ChangedStatesRef = builder.objectRef<ChangedStates>('CustomerStateChanges').implement({
  description: 'A page of states that have changed, in the order of their changes.',
  fields: (t) => ({
    states: t.expose('states', {
      type: [CustomerState],
      description: 'At most 100 states, each as it is now.',
    }),
    cursor: t.exposeString('cursor', { description: 'For the next call. It stays valid.' }),
    hasMore: t.exposeBoolean('hasMore', { description: 'Whether more have changed: call again at once.' }),
  }),
});

builder.queryFields((t) => ({
  customerState: t.field({
    type: CustomerState,
    args: {
      customerId: t.arg.string({
        required: true,
        description: "The merchant's id of the customer, or the `id` of a customer without one.",
      }),
    },
    description:
      'What a customer may do now. A customer who never subscribed has no access. Errors: `authentication_error`; `invalid_request`, param `customerId`.',
    resolve: (_root, { customerId }, context) => getState(context.app, scopeOf(context), customerId),
  }),
  customerStates: t.field({
    type: [CustomerState],
    args: {
      customerIds: t.arg.stringList({ required: true, description: 'At most 100 ids of customers.' }),
    },
    description:
      'What several customers may do now, in the order of the ids. Errors: `authentication_error`; `invalid_request`, param `customerIds`.',
    resolve: (_root, { customerIds }, context) => getStates(context.app, scopeOf(context), customerIds),
  }),
  customerStatesChangedSince: t.field({
    type: ChangedStatesRef,
    args: {
      cursor: t.arg.string({ description: 'The `cursor` of the last answer; none for all states.' }),
    },
    description:
      'The states that changed after the last call: a backend that was away catches up without its webhooks. Errors: `authentication_error`; `invalid_request`, param `cursor`, also if the database was replaced since it was given out: start again without a cursor.',
    resolve: (_root, { cursor }, context) => changedStates(context.app, scopeOf(context), cursor),
  }),
}));
