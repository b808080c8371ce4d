import type { UncheckedRestore } from '../../../domain/maintenance/after-restore/unchecked-restore.ts';
import type { RestoreCheck as CheckRow } from '../../../generated/prisma/client.ts';
import { builder } from '../builder.ts';

export const DatabaseRestore = builder.objectRef<UncheckedRestore>('DatabaseRestore').implement({
  description:
    'The database of the service came back and may lack its newest rows, as the event `service.restored` says.',
  requires: null,
  fields: (t) => ({
    number: t.exposeInt('number', { description: 'For `confirmRestoreCheck`. Later ones are higher.' }),
    lostFrom: t.expose('lostFrom', {
      type: 'DateTime',
      nullable: true,
      description: 'Changes from this time on may be lost; null if it is not known.',
    }),
    lostUntil: t.expose('lostUntil', {
      type: 'DateTime',
      description: 'Changes after this time are not lost.',
    }),
    isCollecting: t.exposeBoolean('isCollecting', {
      description: 'Whether payments are collected again. Until the chain was read, none is.',
    }),
  }),
});

export const RestoreCheck = builder.objectRef<CheckRow>('RestoreCheck').implement({
  description: 'The merchant has compared its data with the restored database.',
  fields: (t) => ({
    number: t.exposeInt('number', { description: 'The `number` of the `DatabaseRestore`.' }),
    checkedAt: t.expose('checkedAt', { type: 'DateTime', description: 'When a member first said so.' }),
  }),
});
