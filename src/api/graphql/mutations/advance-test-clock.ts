import { advanceTestClock } from '../../../domain/test-clock/advance-test-clock.ts';
import { actingScopeOf } from '../acting-scope.ts';
import { builder } from '../builder.ts';

builder.mutationFields((t) => ({
  advanceTestClock: t.field({
    type: 'DateTime',
    args: {
      seconds: t.arg.int({
        required: true,
        description: 'Seconds to move the time forward: 1 to 34560000 (400 days).',
      }),
    },
    description:
      'Moves the time of the TEST environment forward, for all its merchants, where `Cluster.canMoveTime`; returns the new time. Payments that are due then are collected at once. Move one billing interval at a time: a period can be collected only while it lasts. Open checkouts expire; member sessions do not. Errors: `authentication_error`; `invalid_request`, param `seconds` if it is out of bounds, without a param where the time cannot be moved.',
    resolve: (_root, { seconds }, context) =>
      advanceTestClock(context.app, actingScopeOf(context), { seconds }),
  }),
}));
