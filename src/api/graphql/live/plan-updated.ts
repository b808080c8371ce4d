import { getPlan } from '../../../domain/catalog/plan/get-plan.ts';
import { builder } from '../builder.ts';
import { scopeOf } from '../context.ts';
import { Plan } from '../types/plan.ts';
import { LiveStream } from './live-stream.ts';

builder.subscriptionFields((t) => ({
  planUpdated: t.prismaField({
    type: Plan,
    args: { planId: t.arg.string({ description: 'Only the plan with this `planId`; default all plans.' }) },
    description:
      'A plan after every change of its status, end, problem or texts. With `planId`, the plan as it is now comes first. Errors: `authentication_error`; `not_found`, param `planId`; `live_interrupted` if the client may have missed a change: query and subscribe again.',
    subscribe: async (_root, { planId }, context) => {
      const scope = scopeOf(context);
      const onlyId = planId == null ? undefined : (await getPlan(context.app, scope, planId)).id;
      const source = context.app.live.subscribe('plan.updated', scope);
      await source.ready;
      return new LiveStream(
        context,
        source,
        async ({ planId: id }) => (onlyId === undefined || id === onlyId ? id : undefined),
        onlyId,
      );
    },
    resolve: (query, id: string, _args, context) =>
      context.app.db.plan.findFirstOrThrow({ ...query, where: { ...scopeOf(context), id } }),
  }),
}));
