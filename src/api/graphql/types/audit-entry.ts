import { auditWhere } from '../../../domain/kernel/audit-log/audit-where.ts';
import { LIST_POSITION, NEWEST_FIRST } from '../../../domain/kernel/paging/list-position.ts';
import { listFilter, withConditions } from '../arguments/list-filter.ts';
import { replaceCursor } from '../arguments/replace-cursor.ts';
import { builder } from '../builder.ts';
import { memberOf } from '../loaders/member.ts';
import { Environment } from './merchant.ts';

const AuditActor = builder.enumType('AuditActor', {
  description: 'The kind of actor that made a change.',
  values: {
    API_KEY: { description: 'A program with an API key.' },
    MEMBER: { description: 'A member of the team.' },
    OPERATOR: { description: 'The operator of this service.' },
    CUSTOMER: { description: 'A customer in the portal.' },
  } as const,
});

const AuditEntry = builder.prismaObject('AuditEntry', {
  description: 'One recorded change in the account of the merchant. Entries are never changed or deleted.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'A UUID.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When the change was made.' }),
    environment: t.expose('environment', {
      type: Environment,
      nullable: true,
      description:
        'Environment of the change; null for the profile and the team, which both environments share.',
    }),
    action: t.exposeString('action', { description: 'The kind of change, for example `api_key.created`.' }),
    targetId: t.exposeString('targetId', { description: 'Id of the object that was changed.' }),
    changes: t.expose('changes', {
      type: 'JSON',
      description:
        'The changed fields, for example `{"role": {"from": "OWNER", "to": "DEVELOPER"}}`. A field that had no value before has no `from`. Secrets are never included.',
    }),
    actor: t.expose('actor', { type: AuditActor, description: 'Kind of the actor that made the change.' }),
    actorId: t.exposeID('actorId', {
      nullable: true,
      description:
        'Id of the API key, member or customer that made the change, which may no longer exist; null for the operator.',
    }),
    actorName: t.exposeString('actorName', {
      nullable: true,
      description:
        'Name and last four characters of the API key, or wallet of the member or the customer, at the time of the change; null if it is not known.',
    }),
    ipAddress: t.exposeString('ipAddress', {
      nullable: true,
      description: 'IP address of the request; null if there was no request.',
    }),
    userAgent: t.exposeString('userAgent', {
      nullable: true,
      description: 'User agent of the client, at most 300 characters; null if it is not known.',
    }),
    requestId: t.exposeID('requestId', {
      nullable: true,
      description: 'The `X-Request-Id` of the response; null if there was no request.',
    }),
  }),
});

const AUDIT_FILTER = listFilter('AuditLogFilter', 'entries', (t) => ({
  action: t.string({ description: 'Only changes of this kind, for example `api_key.created`.' }),
  targetId: t.string({ description: 'Only changes of the object with this id.' }),
  actorId: t.id({ description: 'Only changes by this key or member.' }),
  from: t.field({ type: 'DateTime', description: 'Only changes at this time or later.' }),
  to: t.field({ type: 'DateTime', description: 'Only changes before this time.' }),
}));

builder.queryFields((t) => ({
  auditLog: t.prismaConnection(
    {
      type: AuditEntry,
      cursor: 'id',
      args: {
        filter: t.arg({ type: AUDIT_FILTER.type, description: 'Filter; default all entries.' }),
        ...AUDIT_FILTER.olderArguments(t.arg),
      },
      description:
        'The audit log of both environments, newest first. For members only. Errors: `authentication_error`; `invalid_request` for a page out of range, or param `action`, `actorId` or `to`, or the field of the filter, for example `filter.to`.',
      resolve: async (query, _root, args, context) => {
        const { db } = context.app;
        const { merchantId } = memberOf(context);
        const where = await withConditions(args, (conditions) => auditWhere(merchantId, conditions));
        const { page, condition } = await replaceCursor(query, (id) =>
          db.auditEntry.findFirst({ where: { id, merchantId }, select: LIST_POSITION }),
        );
        return db.auditEntry.findMany({
          ...page,
          where: { AND: [where, condition] },
          orderBy: NEWEST_FIRST,
        });
      },
    },
    { name: 'AuditEntryConnection', description: 'A page of the audit log.' },
    { name: 'AuditEntryEdge', description: 'One entry of a page, with its cursor.' },
  ),
}));
