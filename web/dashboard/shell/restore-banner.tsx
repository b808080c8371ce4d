import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { graphql } from '../../shared/api/graphql.ts';
import { useChange } from '../../shared/api/query.ts';
import type { ViewerData } from '../../shared/api/viewer.ts';
import { Icon } from '../../shared/components/icon.tsx';
import { useToast } from '../../shared/components/toasts.tsx';
import { WriteButton } from '../../shared/components/write-button.tsx';
import { restore as text } from '../../shared/text/restore.ts';
import { useFormatTime } from '../../shared/time/time-zone.tsx';

const CONFIRM = graphql(/* GraphQL */ `
  mutation ConfirmRestoreCheck($number: Int!) {
    confirmRestoreCheck(number: $number) {
      checkedAt
    }
  }
`);

const linkClass = 'text-warn underline underline-offset-2';

interface RestoreBannerProps {
  readonly restore: NonNullable<ViewerData['uncheckedRestore']>;
}

/** Says what may be lost after the database came back, until a member has checked it. */
export function RestoreBanner({ restore }: RestoreBannerProps) {
  const { number, lostFrom, lostUntil, isCollecting } = restore;
  const toast = useToast();
  const format = useFormatTime();
  const confirm = useChange(CONFIRM, { onDone: () => toast(text.thanks) });
  // The lists filter by days in UTC.
  const days = { from: (lostFrom ?? lostUntil).slice(0, 10), to: lostUntil.slice(0, 10) };
  const until = format(lostUntil);
  return (
    <div className="mx-auto w-full max-w-6xl px-4 pt-6 sm:px-6 lg:px-8">
      <section aria-label={text.title} className="rounded-lg bg-warn-ground px-4 py-3 text-warn">
        <p className="flex gap-2 font-semibold">
          <Icon name="alert" className="mt-0.5 size-4" />
          {text.title}
        </p>
        <p className="mt-1">
          {lostFrom === null ? text.before(until) : text.between(format(lostFrom), until)}{' '}
          {isCollecting ? text.charges : text.waiting}
        </p>
        <p className="mt-2">{text.compare}</p>
        <ul className="mt-1 grid gap-x-6 gap-y-1.5 sm:grid-cols-2">
          <Item hint={text.eventsHint}>
            <Link to="/events" search={days} className={linkClass}>
              {text.events}
            </Link>
          </Item>
          <Item hint={text.subscriptionsHint}>
            <Link to="/subscriptions" className={linkClass}>
              {text.subscriptions}
            </Link>
          </Item>
          <Item hint={text.keysHint}>
            <Link to="/keys" className={linkClass}>
              {text.keys}
            </Link>
          </Item>
          <Item hint={text.teamHint}>
            <Link to="/team" className={linkClass}>
              {text.team}
            </Link>
          </Item>
          <Item hint={text.paymentsHint}>
            <Link to="/payments" search={days} className={linkClass}>
              {text.payments}
            </Link>
          </Item>
          <Item hint={text.setupHint}>
            <Link to="/settings" className={linkClass}>
              {text.settings}
            </Link>
            {', '}
            <Link to="/webhooks" className={linkClass}>
              {text.webhooks}
            </Link>
          </Item>
          <Item hint={text.auditHint}>
            <Link to="/audit" search={days} className={linkClass}>
              {text.audit}
            </Link>
          </Item>
        </ul>
        {confirm.error && (
          <p role="alert" className="mt-2 text-bad">
            {confirm.error.message}
          </p>
        )}
        <div className="mt-3 flex flex-wrap items-center gap-x-3 gap-y-2">
          <WriteButton busy={confirm.isPending} onClick={() => confirm.mutate({ number })}>
            {text.checked}
          </WriteButton>
          <span>{text.checkedHint}</span>
        </div>
      </section>
    </div>
  );
}

function Item({ hint, children }: { readonly hint: string; readonly children: ReactNode }) {
  return (
    <li>
      {children}: {hint}
    </li>
  );
}
