import { confirmRestoreCheck } from '../../../domain/maintenance/after-restore/confirm-restore-check.ts';
import { actingScopeOf } from '../arguments/acting-scope.ts';
import { builder } from '../builder.ts';
import { memberOf } from '../loaders/member.ts';
import { RestoreCheck } from '../types/database-restore.ts';

builder.mutationFields((t) => ({
  confirmRestoreCheck: t.field({
    type: RestoreCheck,
    args: {
      number: t.arg.int({ required: true, description: 'The `number` of `viewer.uncheckedRestore`.' }),
    },
    description:
      'Says that your data was compared with the restored database: `viewer.uncheckedRestore` no longer returns this restore, nor earlier ones, to any member. A repeated call changes nothing. Needs a signed-in member; an API key is refused. Errors: `authentication_error`; `not_found`, param `number`.',
    resolve: (_root, args, context) => {
      memberOf(context);
      return confirmRestoreCheck(context.app, actingScopeOf(context), args);
    },
  }),
}));
