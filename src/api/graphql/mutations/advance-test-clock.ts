import { advanceTestClock } from '../../../domain/chain-state/cluster/advance-test-clock.ts';
import { actingScopeOf } from '../arguments/acting-scope.ts';
import { builder } from '../builder.ts';

builder.mutationFields((t) => ({
  advanceTestClock: t.field({
    type: 'DateTime',
    args: {
      seconds: t.arg.int({
        required: true,
        description: 'Number of seconds to move the time forward: 1 to 34560000 (400 days).',
      }),
    },
    description:
      'Moves the time of the TEST environment forward, for all its merchants, and returns the new time. It works only where `Cluster.canMoveTime` is true. Payments that become due are collected at once. Move one billing interval at a time: the payment of a period can be collected only during that period. Open checkouts may expire; member sessions do not. Errors: `authentication_error`; `invalid_request`, param `seconds`, if the number is out of range, or without a param if the time cannot be moved.',
    resolve: (_root, { seconds }, context) =>
      advanceTestClock(context.app, actingScopeOf(context), { seconds }),
  }),
}));
