import type { CollectorState } from '../../../domain/chain-state/collector/read-collectors.ts';
import type { ServiceHealth as Health } from '../../../domain/maintenance/service-health/service-health.ts';
import { builder } from '../builder.ts';
import { scopeOf } from '../context.ts';
import { Environment } from './merchant.ts';

const CollectorRole = builder.enumType('CollectorRole', {
  description: 'Which collector it is.',
  values: {
    CURRENT: { value: 'current', description: 'Collects for new plans.' },
    PREVIOUS: { value: 'previous', description: 'Collects for older plans that allow only this collector.' },
  } as const,
});

const CollectorHealth = builder.objectRef<CollectorState>('CollectorHealth').implement({
  description: 'A collector: the account with which dues collects payments and pays the transaction fees.',
  fields: (t) => ({
    environment: t.expose('environment', {
      type: Environment,
      description: 'Environment in which it collects.',
    }),
    role: t.expose('role', { type: CollectorRole, description: 'Role of the collector.' }),
    address: t.exposeString('address', { description: 'Address of the collector. Base58.' }),
    lamports: t.expose('lamports', {
      type: 'TokenAmount',
      description: 'Balance of the collector in lamports.',
    }),
    daysLeft: t.exposeFloat('daysLeft', {
      nullable: true,
      description:
        'Number of days that the balance lasts at the rate of the last seven days; null if there were no fees in that time.',
    }),
    canPay: t.exposeBoolean('canPay', {
      description: 'Whether the balance is enough to pay for a transaction. If not, nothing is collected.',
    }),
  }),
});

const MirrorState = builder.enumType('MirrorState', {
  description: 'How well dues follows the cluster.',
  values: {
    FOLLOWING: { description: 'dues is up to date with the cluster.' },
    BEHIND: { description: 'dues has not applied the changes of the last minutes yet.' },
    CHECKING: { description: 'dues may have missed a change and is checking.' },
    SILENT: { description: 'dues has seen no block for a minute.' },
    NEVER: { description: 'dues has not seen a block of the cluster yet.' },
  } as const,
});

const MirrorHealth = builder.objectRef<Health['mirror']>('MirrorHealth').implement({
  description: 'How well dues follows the cluster.',
  fields: (t) => ({
    state: t.expose('state', { type: MirrorState, description: 'Summary of the other fields.' }),
    slotsBehind: t.int({
      nullable: true,
      description:
        'Number of slots between the newest block and the last one that dues has applied; null if no block was ever seen.',
      resolve: ({ slotsBehind }) => (slotsBehind === null ? null : Number(slotsBehind)),
    }),
    silentSeconds: t.int({
      nullable: true,
      description: 'Seconds since the last block was seen; null if none ever was.',
      resolve: ({ silentSeconds }) =>
        silentSeconds === null ? null : Math.max(0, Math.round(silentSeconds)),
    }),
    doubt: t.exposeString('doubt', {
      nullable: true,
      description:
        'Description of the changes that dues may have missed and is checking; null if there are none.',
    }),
  }),
});

const ServiceHealth = builder.objectRef<Health>('ServiceHealth').implement({
  description: 'State of the service in one environment.',
  fields: (t) => ({
    collectors: t.expose('collectors', {
      type: [CollectorHealth],
      nullable: true,
      description:
        'The current collector and, if there is one, the previous one; null while the cluster does not respond.',
    }),
    mirror: t.expose('mirror', { type: MirrorHealth, description: 'How well dues follows the cluster.' }),
    checkedAt: t.expose('checkedAt', {
      type: 'DateTime',
      description: 'When the state was checked; at most five seconds ago.',
    }),
  }),
});

builder.queryFields((t) => ({
  serviceHealth: t.field({
    type: ServiceHealth,
    description:
      'State of the service in the environment of this request: whether payments can be collected, and whether dues sees changes on chain. Errors: `authentication_error`.',
    resolve: (_root, _args, context) => context.readHealth(scopeOf(context).environment),
  }),
}));
