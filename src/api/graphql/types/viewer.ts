import {
  type ListedMemberSession,
  listMemberSessions,
} from '../../../domain/accounts/sign-in/member-sessions.ts';
import { membershipsOf } from '../../../domain/accounts/sign-in/memberships.ts';
import type { MemberCaller } from '../../../domain/kernel/access/caller.ts';
import { uncheckedRestore } from '../../../domain/maintenance/after-restore/unchecked-restore.ts';
import type { Member as MemberRow, Merchant as MerchantRow } from '../../../generated/prisma/client.ts';
import { builder } from '../builder.ts';
import { memberIfAny } from '../loaders/member.ts';
import { DatabaseRestore } from './database-restore.ts';
import { MemberRole } from './member.ts';
import { Environment, Merchant } from './merchant.ts';

const Membership = builder.objectRef<MemberRow & { merchant: MerchantRow }>('Membership').implement({
  description: 'A merchant that a wallet is a member of.',
  requires: null,
  fields: (t) => ({
    merchantId: t.exposeID('merchantId', { description: 'A UUID, for `chooseMerchant`.' }),
    merchant: t.expose('merchant', { type: Merchant, description: 'The merchant.' }),
    role: t.expose('role', { type: MemberRole, description: 'Role of the wallet at that merchant.' }),
  }),
});

interface ViewerSession extends ListedMemberSession {
  readonly isCurrent: boolean;
}

const MemberSession = builder.objectRef<ViewerSession>('MemberSession').implement({
  description: 'A member session: one wallet signed in to the dashboard in one browser.',
  requires: null,
  fields: (t) => ({
    id: t.exposeID('id', { description: 'A UUID, for `endMemberSession`.' }),
    merchant: t.field({
      type: Merchant,
      description: 'The merchant of the member session.',
      resolve: ({ member }) => member.merchant,
    }),
    isCurrent: t.exposeBoolean('isCurrent', { description: 'Whether this request belongs to the session.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When the member signed in.' }),
    idleUntil: t.expose('idleUntil', {
      type: 'DateTime',
      description:
        'When the session ends if it is not used again: 12 hours after the last use, to about a minute.',
    }),
    expiresAt: t.expose('expiresAt', {
      type: 'DateTime',
      description: 'When the session ends even if it is used.',
    }),
    ipAddress: t.exposeString('ipAddress', {
      nullable: true,
      description: 'IP address of the sign-in; null if it is not known.',
    }),
    userAgent: t.exposeString('userAgent', {
      nullable: true,
      description: 'User agent of the sign-in, at most 300 characters; null if it is not known.',
    }),
  }),
});

export const Viewer = builder.objectRef<MemberCaller>('Viewer').implement({
  description: 'The member who is signed in to the dashboard.',
  requires: null,
  fields: (t) => ({
    memberId: t.exposeID('memberId', { description: 'A UUID.' }),
    merchantId: t.exposeID('merchantId', { description: 'UUID of the merchant of the member session.' }),
    walletAddress: t.exposeString('walletAddress', { description: 'The wallet that signed in. Base58.' }),
    role: t.expose('role', { type: MemberRole, description: 'Role of the member.' }),
    environment: t.expose('environment', {
      type: Environment,
      description:
        'The environment of this request: TEST, unless the header `x-dues-environment` is `live` (over graphql-ws: `environment` in the payload of `connection_init`).',
    }),
    merchant: t.field({
      type: Merchant,
      description: 'The merchant of the member session.',
      resolve: ({ merchantId: id }, _args, { app }) => app.db.merchant.findUniqueOrThrow({ where: { id } }),
    }),
    uncheckedRestore: t.field({
      type: DatabaseRestore,
      nullable: true,
      description:
        'Set from when the database of the service came back until a member confirms with `confirmRestoreCheck` that your data was compared; otherwise null. Several restores are one, with the number of the newest.',
      resolve: (viewer, _args, { app }) => uncheckedRestore(app, viewer),
    }),
    memberships: t.field({
      type: [Membership],
      description: 'All merchants that the wallet is a member of, oldest membership first.',
      resolve: ({ walletAddress }, _args, { app }) => membershipsOf(app.db, walletAddress),
    }),
    sessions: t.field({
      type: [MemberSession],
      description:
        'The open member sessions of the wallet, in all browsers and for all its merchants, newest first, at most 100.',
      resolve: async (viewer, _args, { app }) => {
        const sessions = await listMemberSessions(app, viewer);
        return sessions.map((session) => ({ ...session, isCurrent: session.id === viewer.sessionId }));
      },
    }),
  }),
});

builder.queryFields((t) => ({
  viewer: t.field({
    type: Viewer,
    nullable: true,
    requires: null,
    description:
      'The member who is signed in to the dashboard; null for an API key or without a member session. Errors: `invalid_request`, param `x-dues-environment`.',
    resolve: (_root, _args, context) => memberIfAny(context) ?? null,
  }),
}));
