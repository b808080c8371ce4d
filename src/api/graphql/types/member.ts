import { LIST_POSITION, NEWEST_FIRST } from '../../../domain/kernel/paging/list-position.ts';
import { replaceCursor } from '../arguments/replace-cursor.ts';
import { builder } from '../builder.ts';
import { memberOf } from '../loaders/member.ts';

export const MemberRole = builder.enumType('MemberRole', {
  description: 'Role of a member of the team.',
  values: {
    OWNER: { description: 'May do everything.' },
    DEVELOPER: { description: 'May do everything except change the profile and the team.' },
    READ_ONLY: { description: 'May read data and receive live updates, but change nothing.' },
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
      description: 'Name that the team sees; null unless `renameMember` has set one.',
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
        "Members of the merchant's team, newest first. Needs a signed-in member; an API key is refused. Errors: `authentication_error`; `invalid_request` for a page out of range.",
      totalCount: (_root, _args, context) =>
        context.app.db.member.count({ where: { merchantId: memberOf(context).merchantId } }),
      resolve: async (query, _root, _args, context) => {
        const { db } = context.app;
        const { merchantId } = memberOf(context);
        const { page, condition } = await replaceCursor(query, (id) =>
          db.member.findFirst({ where: { id, merchantId }, select: LIST_POSITION }),
        );
        return db.member.findMany({
          ...page,
          where: { merchantId, AND: [condition] },
          orderBy: NEWEST_FIRST,
        });
      },
    },
    { name: 'MemberConnection', description: 'A page of members.' },
    { name: 'MemberEdge', description: 'One member of a page, with the cursor.' },
  ),
}));
