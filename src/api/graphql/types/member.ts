import { NEWEST_FIRST, PLACE } from '../../../domain/paging/place.ts';
import { builder } from '../builder.ts';
import { memberOf } from '../member.ts';
import { replaceCursor } from '../replace-cursor.ts';

export const MemberRole = builder.enumType('MemberRole', {
  description: 'Role of a member of the team.',
  values: {
    OWNER: { description: 'Everything.' },
    DEVELOPER: { description: 'Everything except changing the profile and the team.' },
    READ_ONLY: { description: 'Queries and live updates.' },
  } as const,
});

export const Member = builder.prismaObject('Member', {
  description: "A wallet that may sign in to a merchant's dashboard, in both environments.",
  fields: (t) => ({
    id: t.exposeID('id', { description: 'A UUID.' }),
    walletAddress: t.exposeString('walletAddress', { description: 'The wallet. Base58.' }),
    role: t.expose('role', { type: MemberRole, description: 'Role of the member.' }),
    name: t.exposeString('name', {
      nullable: true,
      description: 'Name for the team; null if `renameMember` gave none.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When the member was added.' }),
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
        const { page, condition } = await replaceCursor(query, (id) =>
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
    { name: 'MemberEdge', description: 'An edge of a page of members.' },
  ),
}));
