import { createLazyRoute, getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { useAskedDialog } from '../../../shared/api/asked-dialog.ts';
import { graphql } from '../../../shared/api/graphql.ts';
import { usePermissions, useViewer } from '../../../shared/api/viewer.ts';
import { Badge } from '../../../shared/components/badge.tsx';
import { Button } from '../../../shared/components/button.tsx';
import { Card } from '../../../shared/components/card.tsx';
import type { Column } from '../../../shared/components/data-table.tsx';
import { ListView } from '../../../shared/components/list-view.tsx';
import { OnChain } from '../../../shared/components/on-chain.tsx';
import { Page } from '../../../shared/components/page.tsx';
import { useList } from '../../../shared/components/use-list.ts';
import { labels } from '../../../shared/text/labels.ts';
import { shell } from '../../../shared/text/shell.ts';
import { team as text } from '../../../shared/text/team.ts';
import { DateOnly } from '../../../shared/time/time.tsx';
import { InviteDialog } from './invite-dialog.tsx';
import { type Member, nameOf } from './member.ts';
import { EditDialog, RemoveDialog } from './member-dialogs.tsx';
import { ROLES } from './role-choice.tsx';

const TEAM = graphql(/* GraphQL */ `
  query TeamPage($first: Int, $after: String, $last: Int, $before: String) {
    members(first: $first, after: $after, last: $last, before: $before) {
      totalCount
      pageInfo {
        hasNextPage
        hasPreviousPage
        startCursor
        endCursor
      }
      edges {
        node {
          id
          name
          role
          walletAddress
          createdAt
        }
      }
    }
  }
`);

export const route = createLazyRoute('/app/team')({ component: TeamPage });

const api = getRouteApi('/app/team');

interface Opened {
  readonly dialog: 'edit' | 'remove';
  readonly member: Member;
}

function TeamPage() {
  const navigate = api.useNavigate();
  const viewer = useViewer();
  const { own } = usePermissions();
  const [isInviting, setInviting] = useState(false);
  const [opened, setOpened] = useState<Opened>();
  useAskedDialog('/team', () => setInviting(true));
  const list = useList({
    document: TEAM,
    variables: {},
    connectionOf: ({ members }) => members,
    search: api.useSearch(),
    onSearch: (change, replace) => navigate({ search: change, replace }),
  });
  const members = list.connection?.edges.map(({ node }) => node);
  // The last owner is known only if all members are shown. The server refuses the removal anyway.
  const showsAll = members?.length === list.connection?.totalCount;
  const isLastOwner = ({ role }: Member) =>
    role === 'OWNER' && showsAll && members?.filter((member) => member.role === 'OWNER').length === 1;
  const columns: readonly Column<Member>[] = [
    {
      header: text.member,
      cell: (member) => (
        <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <span className="font-medium">{nameOf(member)}</span>
          {member.id === viewer.memberId && <Badge tone="accent">{text.you}</Badge>}
        </span>
      ),
    },
    { header: text.role, cell: ({ role }) => <span title={text.roleHints[role]}>{shell.roles[role]}</span> },
    { header: text.wallet, cell: ({ walletAddress }) => <OnChain kind="address" value={walletAddress} /> },
    { header: text.added, cell: ({ createdAt }) => <DateOnly at={createdAt} /> },
    {
      header: text.actions,
      align: 'end',
      cell: (member) => {
        const isSelf = member.id === viewer.memberId;
        const reason = !own ? labels.ownersOnly : isLastOwner(member) ? text.lastOwner : undefined;
        return (
          <span className="inline-flex gap-2">
            <Button
              disabled={!own && !isSelf}
              title={own || isSelf ? undefined : labels.ownersOnly}
              aria-label={text.editOf(nameOf(member))}
              onClick={() => setOpened({ dialog: 'edit', member })}
            >
              {text.edit}
            </Button>
            <Button
              disabled={reason !== undefined}
              title={reason}
              aria-label={text.removeOf(nameOf(member))}
              onClick={() => setOpened({ dialog: 'remove', member })}
            >
              {text.remove}
            </Button>
          </span>
        );
      },
    },
  ];
  const MemberDialog = opened?.dialog === 'edit' ? EditDialog : RemoveDialog;
  return (
    <Page
      title={text.title}
      description={text.description}
      actions={
        <Button
          kind="primary"
          icon="plus"
          disabled={!own}
          title={own ? undefined : labels.ownersOnly}
          onClick={() => setInviting(true)}
        >
          {text.invite}
        </Button>
      }
      queries={[list.query]}
    >
      {!own && <p className="mb-4 text-soft">{text.ownersOnly}</p>}
      <ListView list={list} label={text.title} columns={columns} rowKey={({ id }) => id} empty={null} />
      {own && list.connection?.totalCount === 1 && <p className="mt-3 text-soft">{text.alone}</p>}
      <Card title={text.rolesTitle} description={text.lastOwnerRule} className="mt-6">
        <dl className="grid gap-3 sm:grid-cols-3">
          {ROLES.map((role) => (
            <div key={role}>
              <dt className="font-medium">{shell.roles[role]}</dt>
              <dd className="mt-0.5 text-soft">{text.roleHints[role]}</dd>
            </div>
          ))}
        </dl>
      </Card>
      {isInviting && <InviteDialog onClose={() => setInviting(false)} />}
      {opened && (
        <MemberDialog
          member={opened.member}
          isSelf={opened.member.id === viewer.memberId}
          isLastOwner={isLastOwner(opened.member)}
          onClose={() => setOpened(undefined)}
        />
      )}
    </Page>
  );
}
