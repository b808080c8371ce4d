import { NEWEST_FIRST, PLACE } from '../../domain/merchant/place.ts';
import { builder } from '../builder.ts';
import { memberOf } from '../member.ts';
import { seek } from '../seek.ts';

export const MemberRole = builder.enumType('MemberRole', {
  description: 'What a member of the team may do.',
  values: {
    OWNER: { description: 'Everything.' },
    DEVELOPER: { description: 'Everything but to change the profile and the team.' },
    READ_ONLY: { description: 'Reads, and live updates.' },
  } as const,
});

export const Member = builder.prismaObject('Member', {
  description: "A wallet that may sign in to a merchant's dashboard, for both environments.",
  fields: (t) => ({
    id: t.exposeID('id', { description: 'A UUID.' }),
    walletAddress: t.exposeString('walletAddress', { description: 'The wallet. Base58.' }),
    role: t.expose('role', { type: MemberRole, description: 'What it may do.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was invited.' }),
  }),
});

builder.queryFields((t) => ({
  members: t.prismaConnection(
    {
      type: Member,
      cursor: 'id',
      description:
        "The merchant's team, newest first. For members only. Errors: `authentication_error`; `invalid_request` for a page out of range.",
      totalCount: (_root, _args, context) =>
        context.app.db.member.count({ where: { merchantId: memberOf(context).merchantId } }),
      resolve: async (query, _root, _args, context) => {
        const { db } = context.app;
        const { merchantId } = memberOf(context);
        const { page, condition } = await seek(query, (id) =>
          db.member.findFirst({ where: { id, merchantId }, select: PLACE }),
        );
        return db.member.findMany({
          ...page,
          where: { merchantId, AND: [condition] },
          orderBy: NEWEST_FIRST,
        });
      },
    },
    { name: 'MemberConnection', description: 'A page of members.' },
    { name: 'MemberEdge', description: 'One of members.' },
  ),
}));
