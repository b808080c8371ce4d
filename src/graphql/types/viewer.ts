import type { MemberCaller } from '../../domain/merchant/caller.ts';
import { membershipsOf } from '../../domain/sign-in/memberships.ts';
import type { Member as MemberRow, Merchant as MerchantRow } from '../../generated/prisma/client.ts';
import { builder } from '../builder.ts';
import { MemberRole } from './member.ts';
import { Environment, Merchant } from './merchant.ts';

const Membership = builder.objectRef<MemberRow & { merchant: MerchantRow }>('Membership').implement({
  description: 'A merchant that a wallet is a member of.',
  fields: (t) => ({
    merchantId: t.exposeID('merchantId', { description: 'A UUID, for `chooseMerchant`.' }),
    merchant: t.expose('merchant', { type: Merchant, description: 'The merchant.' }),
    role: t.expose('role', { type: MemberRole, description: 'What the wallet may do there.' }),
  }),
});

export const Viewer = builder.objectRef<MemberCaller>('Viewer').implement({
  description: 'The member who is signed in to the dashboard.',
  fields: (t) => ({
    memberId: t.exposeID('memberId', { description: 'A UUID.' }),
    merchantId: t.exposeID('merchantId', { description: "The UUID of the session's merchant." }),
    walletAddress: t.exposeString('walletAddress', { description: 'The wallet that signed in. Base58.' }),
    role: t.expose('role', { type: MemberRole, description: 'What the member may do.' }),
    environment: t.expose('environment', {
      type: Environment,
      description:
        'The environment of this request: TEST, unless its header `x-dues-environment` says `live` (over graphql-ws: `environment` in the payload of `connection_init`).',
    }),
    merchant: t.field({
      type: Merchant,
      description: 'The merchant that the session is for.',
      resolve: ({ merchantId: id }, _args, { app }) => app.db.merchant.findUniqueOrThrow({ where: { id } }),
    }),
    memberships: t.field({
      type: [Membership],
      description: 'All merchants that the wallet is a member of, oldest membership first.',
      resolve: ({ walletAddress }, _args, { app }) => membershipsOf(app.db, walletAddress),
    }),
  }),
});

builder.queryFields((t) => ({
  viewer: t.field({
    type: Viewer,
    nullable: true,
    requires: null,
    description:
      'Who is signed in to the dashboard; null where nobody is, or an API key asks. Errors: `invalid_request`, param `x-dues-environment`.',
    resolve: (_root, _args, { caller }) => (caller?.kind === 'member' ? caller : null),
  }),
}));
