import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { OwnSessionsQuery } from '../../../generated/graphql.ts';
import { graphql } from '../../../shared/api/graphql.ts';
import { askOptions, useChange } from '../../../shared/api/query.ts';
import { Badge } from '../../../shared/components/badge.tsx';
import { Button } from '../../../shared/components/button.tsx';
import { Card } from '../../../shared/components/card.tsx';
import { ConfirmDialog } from '../../../shared/components/confirm-dialog.tsx';
import { type Column, DataTable } from '../../../shared/components/data-table.tsx';
import { useToast } from '../../../shared/components/toasts.tsx';
import { settings as text } from '../../../shared/text/settings.ts';
import { describeUserAgent } from '../../../shared/text/user-agent.ts';
import { Time } from '../../../shared/time/time.tsx';
import { SIGN_OUT_EVERYWHERE } from '../../shell/account-menu.tsx';
import { reloadDashboard } from '../../shell/reload-dashboard.ts';

export const SESSIONS = graphql(/* GraphQL */ `
  query OwnSessions {
    viewer {
      sessions {
        id
        isCurrent
        merchant {
          companyName
        }
        createdAt
        idleUntil
        expiresAt
        ipAddress
        userAgent
      }
    }
  }
`);

const END_SESSION = graphql(/* GraphQL */ `
  mutation EndMemberSession($id: ID!) {
    endMemberSession(id: $id)
  }
`);

type Session = NonNullable<OwnSessionsQuery['viewer']>['sessions'][number];

/** The member sessions of the signed-in wallet, each with a button that ends it. */
export function SessionsCard() {
  const { data, error, refetch } = useQuery(askOptions(SESSIONS, {}));
  const [isAsking, setAsking] = useState(false);
  const toast = useToast();
  const end = useChange(END_SESSION, { onDone: () => toast(text.sessionEnded) });
  const endAll = useChange(SIGN_OUT_EVERYWHERE, { onDone: reloadDashboard });
  const columns: readonly Column<Session>[] = [
    {
      header: text.session,
      cell: ({ userAgent, isCurrent }) => (
        <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <span className="font-medium" title={userAgent ?? undefined}>
            {describeUserAgent(userAgent)}
          </span>
          {isCurrent && <Badge tone="accent">{text.thisSession}</Badge>}
        </span>
      ),
    },
    { header: text.merchant, cell: ({ merchant }) => merchant.companyName },
    {
      header: text.ipAddress,
      cell: ({ ipAddress }) => <span className="whitespace-nowrap">{ipAddress ?? '–'}</span>,
    },
    { header: text.signedIn, cell: ({ createdAt }) => <Time at={createdAt} /> },
    {
      header: text.ends,
      cell: ({ idleUntil, expiresAt }) => {
        const isIdleFirst = Date.parse(idleUntil) < Date.parse(expiresAt);
        return (
          <>
            <Time at={isIdleFirst ? idleUntil : expiresAt} />
            {isIdleFirst && <span className="block text-xs text-soft">{text.endsUnused}</span>}
          </>
        );
      },
    },
    {
      header: text.actions,
      align: 'end',
      cell: ({ id, isCurrent, userAgent }) =>
        isCurrent ? (
          <span className="text-soft">–</span>
        ) : (
          <Button
            className="whitespace-nowrap"
            disabled={end.isPending}
            aria-label={text.endSessionOf(describeUserAgent(userAgent))}
            onClick={() => end.mutate({ id })}
          >
            {text.endSession}
          </Button>
        ),
    },
  ];
  return (
    <Card
      title={text.sessions}
      description={text.sessionsHint}
      flush
      actions={<Button onClick={() => setAsking(true)}>{text.everywhere}</Button>}
    >
      <DataTable
        label={text.sessions}
        columns={columns}
        rows={data?.viewer?.sessions}
        rowKey={({ id }) => id}
        error={error}
        onRetry={refetch}
        isInCard
        empty={null}
      />
      {end.error && (
        <p role="alert" className="px-4 py-3 text-bad">
          {end.error.message}
        </p>
      )}
      {isAsking && (
        <ConfirmDialog
          title={text.everywhereTitle}
          action={text.everywhere}
          danger
          namesLive={false}
          busy={endAll.isPending}
          error={endAll.error?.message}
          onConfirm={() => endAll.mutate({})}
          onClose={() => setAsking(false)}
        >
          {text.everywhereHint}
        </ConfirmDialog>
      )}
    </Card>
  );
}
