import type { CollectorState } from '../../../domain/collector/read-collectors.ts';
import type { ServiceHealth as Health } from '../../../domain/service-health/service-health.ts';
import { builder } from '../builder.ts';
import { scopeOf } from '../context.ts';
import { Environment } from './merchant.ts';

const CollectorRole = builder.enumType('CollectorRole', {
  description: 'Which collector it is.',
  values: {
    CURRENT: { value: 'current', description: 'New plans name it.' },
    PREVIOUS: { value: 'previous', description: 'It pulls for plans that name it and not the new one.' },
  } as const,
});

const CollectorHealth = builder.objectRef<CollectorState>('CollectorHealth').implement({
  description: 'An account of dues that pays the fees of collection.',
  fields: (t) => ({
    environment: t.expose('environment', { type: Environment, description: 'Its environment.' }),
    role: t.expose('role', { type: CollectorRole, description: 'Which collector it is.' }),
    address: t.exposeString('address', { description: 'Its address. Base58.' }),
    lamports: t.expose('lamports', { type: 'TokenAmount', description: 'Its balance in lamports.' }),
    daysLeft: t.exposeFloat('daysLeft', {
      nullable: true,
      description: 'Days that the balance lasts at the rate of the last seven days; null without fees.',
    }),
    canPay: t.exposeBoolean('canPay', {
      description: 'Whether it can pay for a transaction; if not, nothing is collected.',
    }),
  }),
});

const MirrorState = builder.enumType('MirrorState', {
  description: 'How well dues follows the cluster.',
  values: {
    FOLLOWING: { description: 'Everything is up to date.' },
    BEHIND: { description: 'What happened in the last minutes is still to come.' },
    CHECKING: { description: 'Something may have been missed and is being checked.' },
    SILENT: { description: 'No block was seen for a minute.' },
    NEVER: { description: 'The cluster was never followed yet.' },
  } as const,
});

const MirrorHealth = builder.objectRef<Health['mirror']>('MirrorHealth').implement({
  description: 'How well dues follows the cluster.',
  fields: (t) => ({
    state: t.expose('state', { type: MirrorState, description: 'The state as one word.' }),
    slotsBehind: t.int({
      nullable: true,
      description: 'Slots between the newest block and what is applied; null if no block was ever seen.',
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
      description: 'What may have been missed and is being checked; null if nothing.',
    }),
  }),
});

const ServiceHealth = builder.objectRef<Health>('ServiceHealth').implement({
  description: 'How well an environment is served.',
  fields: (t) => ({
    collectors: t.expose('collectors', {
      type: [CollectorHealth],
      nullable: true,
      description: 'The current collector and the previous one; null while the cluster does not respond.',
    }),
    mirror: t.expose('mirror', { type: MirrorHealth, description: 'How well dues follows the cluster.' }),
    checkedAt: t.expose('checkedAt', {
      type: 'DateTime',
      description: 'When it was checked; at most five seconds ago.',
    }),
  }),
});

builder.queryFields((t) => ({
  serviceHealth: t.field({
    type: ServiceHealth,
    description:
      'How well the environment of this request is served: whether payments can be collected and changes on chain are seen. Errors: `authentication_error`.',
    resolve: (_root, _args, context) => context.readHealth(scopeOf(context).environment),
  }),
}));
