import { builder } from '../builder.ts';

export const FeatureInput = builder.inputType('FeatureInput', {
  description: "Something that a plan's subscribers may use.",
  fields: (t) => ({
    key: t.string({
      required: true,
      description:
        '1 to 40 characters: lower-case letters, digits, and after the first one also `_`, `.` and `-`.',
    }),
    limit: t.float({
      description: 'A whole number from 0, like the number of seats; null for a feature without a limit.',
    }),
  }),
});

export const PlanFeature = builder.prismaObject('PlanFeature', {
  description: "Something that a plan's subscribers may use.",
  requires: null,
  fields: (t) => ({
    key: t.exposeString('key', { description: "The merchant's key of the feature." }),
    limit: t.float({
      nullable: true,
      description: 'Its limit; null without one.',
      select: { limit: true },
      resolve: ({ limit }) => (limit === null ? null : Number(limit)),
    }),
  }),
});
