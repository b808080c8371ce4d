import { type FeaturesPreview, previewFeatures } from '../../../domain/catalog/plan/preview-features.ts';
import { builder } from '../builder.ts';
import { scopeOf } from '../context.ts';
import { FeatureInput } from './plan-feature.ts';

const FeaturesPreviewRef = builder.objectRef<FeaturesPreview>('FeaturesPreview').implement({
  description: "What a change of a plan's features would do.",
  fields: (t) => ({
    planId: t.exposeString('planId', { description: "The merchant's id of the plan." }),
    added: t.exposeStringList('added', { description: 'Keys that the plan does not have yet.' }),
    removed: t.exposeStringList('removed', { description: 'Keys that the plan would no longer have.' }),
    changed: t.exposeStringList('changed', { description: 'Keys that would have another limit.' }),
    subscriptionCount: t.exposeInt('subscriptionCount', {
      description: "Number of the plan's subscriptions that give access now, counted up to 100000.",
    }),
  }),
});

builder.queryFields((t) => ({
  previewFeatures: t.field({
    type: FeaturesPreviewRef,
    args: {
      planId: t.arg.string({ required: true, description: "The merchant's id of the plan." }),
      features: t.arg({ type: [FeatureInput], required: true, description: 'All features of the plan.' }),
    },
    description:
      "What a change of a plan's features would do. It changes nothing. Errors: `authentication_error`; `not_found`, param `planId`; `invalid_request`, param `features`.",
    resolve: (_root, { planId, features }, context) =>
      previewFeatures(context.app, scopeOf(context), planId, features),
  }),
}));
