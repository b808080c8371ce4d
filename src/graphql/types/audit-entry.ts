import { auditWhere } from '../../domain/audit/audit-where.ts';
import { NEWEST_FIRST, PLACE } from '../../domain/merchant/place.ts';
import { builder } from '../builder.ts';
import { given } from '../given.ts';
import { memberOf } from '../member.ts';
import { seek } from '../seek.ts';
import { Environment } from './merchant.ts';

const AuditActor = builder.enumType('AuditActor', {
  description: 'Who makes a change.',
  values: {
    API_KEY: { description: 'A backend, by one of its keys.' },
    MEMBER: { description: 'A member of the team.' },
    OPERATOR: { description: 'Whoever runs this service.' },
  } as const,
});

const AuditEntry = builder.prismaObject('AuditEntry', {
  description: 'A change that somebody made. Entries are neither changed nor deleted.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'A UUID.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When.' }),
    environment: t.expose('environment', {
      type: Environment,
      nullable: true,
      description: 'Where; null for what both environments share: the profile and the team.',
    }),
    action: t.exposeString('action', { description: 'What was done: `api_key.created` for example.' }),
    targetId: t.exposeString('targetId', { description: 'Id of what was changed.' }),
    changes: t.expose('changes', {
      type: 'JSON',
      description:
        'Which fields: `{"role": {"from": "OWNER", "to": "DEVELOPER"}}`; without `from` what is new. Never a secret.',
    }),
    actor: t.expose('actor', { type: AuditActor, description: 'Who.' }),
    actorId: t.exposeID('actorId', {
      nullable: true,
      description: 'Id of the key or the member, who may be gone by now; null for the operator.',
    }),
    actorName: t.exposeString('actorName', {
      nullable: true,
      description: "The key's name and last four characters, or the member's wallet, as they were.",
    }),
    ipAddress: t.exposeString('ipAddress', {
      nullable: true,
      description: 'From where; null where it was no request.',
    }),
    userAgent: t.exposeString('userAgent', {
      nullable: true,
      description: 'What the client called itself, at most 300 characters.',
    }),
    requestId: t.exposeID('requestId', {
      nullable: true,
      description: 'The `X-Request-Id` of the answer.',
    }),
  }),
});

builder.queryFields((t) => ({
  auditLog: t.prismaConnection(
    {
      type: AuditEntry,
      cursor: 'id',
      args: {
        action: t.arg.string({ description: 'Only this: `api_key.created` for example.' }),
        targetId: t.arg.string({ description: 'Only what was done to this.' }),
        actorId: t.arg.id({ description: 'Only what this key or member did.' }),
      },
      description:
        'Who changed what, in both environments, newest first. For members only. Errors: `authentication_error`; `invalid_request` for a page out of range, or param `action` or `actorId`.',
      resolve: async (query, _root, args, context) => {
        const { db } = context.app;
        const { merchantId } = memberOf(context);
        const where = auditWhere(merchantId, given(args));
        const { page, condition } = await seek(query, (id) =>
          db.auditEntry.findFirst({ where: { id, merchantId }, select: PLACE }),
        );
        return db.auditEntry.findMany({
          ...page,
          where: { AND: [where, condition] },
          orderBy: NEWEST_FIRST,
        });
      },
    },
    { name: 'AuditEntryConnection', description: 'A page of the audit log.' },
    { name: 'AuditEntryEdge', description: 'One of the entries.' },
  ),
}));
