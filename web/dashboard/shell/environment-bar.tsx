import { useLocation } from '@tanstack/react-router';
import { useState } from 'react';
import { useCanMoveTime } from '../../shared/api/billing-clock.ts';
import { basePath, isLive, pathIn } from '../../shared/api/environment.ts';
import { usePermissions } from '../../shared/api/viewer.ts';
import { shell } from '../../shared/text/shell.ts';
import { testClock } from '../../shared/text/test-clock.ts';
import { MoveTimeDialog } from './move-time-dialog.tsx';

/** Marks every page of TEST, and opens the dialog that advances the time where that is possible. */
export function EnvironmentBar() {
  const canMoveTime = useCanMoveTime();
  const { write } = usePermissions();
  const [isMoving, setMoving] = useState(false);
  return (
    <>
      <aside
        aria-label={shell.environment}
        className="sticky top-0 z-30 flex h-(--bar) items-center justify-center gap-2 bg-test px-3 text-center text-xs font-medium text-on-test"
      >
        <strong className="shrink-0 rounded-sm bg-on-test px-1.5 whitespace-nowrap text-test">
          {shell.testBar}
        </strong>
        <span className="max-[26rem]:sr-only">{shell.testHint}</span>
        {canMoveTime && write && (
          <button
            type="button"
            onClick={() => setMoving(true)}
            className="min-h-6 shrink-0 rounded-sm px-1 font-semibold whitespace-nowrap underline underline-offset-2"
          >
            {testClock.open}
          </button>
        )}
      </aside>
      {isMoving && <MoveTimeDialog onClose={() => setMoving(false)} />}
    </>
  );
}

/** The switch between TEST and LIVE. It reloads the page in the other environment. */
export function EnvironmentSwitch() {
  const path = useLocation({ select: ({ pathname }) => pathname });
  const fullPath = path.startsWith(basePath) ? path : `${basePath}${path}`;
  const choices = [
    { name: 'test', label: 'TEST', isChosen: !isLive, title: shell.toTest },
    { name: 'live', label: 'LIVE', isChosen: isLive, title: shell.toLive },
  ] as const;
  return (
    <nav aria-label={shell.environment} className="grid grid-cols-2 gap-0.5 rounded-md bg-sunken p-0.5">
      {choices.map(({ name, label, isChosen, title }) => (
        <a
          key={name}
          href={pathIn(name, fullPath)}
          title={title}
          aria-current={isChosen ? 'true' : undefined}
          className={`rounded-sm px-2 py-1 text-center text-xs font-semibold no-underline ${
            isChosen
              ? name === 'test'
                ? 'bg-test text-on-test'
                : 'bg-good text-surface'
              : 'text-soft hover:text-ink'
          }`}
        >
          {label}
        </a>
      ))}
    </nav>
  );
}
