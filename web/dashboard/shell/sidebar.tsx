import { Link } from '@tanstack/react-router';
import { useLiveState } from '../../shared/api/live.tsx';
import { Icon } from '../../shared/components/icon.tsx';
import { isApple } from '../../shared/keyboard/modifier.ts';
import { shell } from '../../shared/text/shell.ts';
import { AccountMenu } from './account-menu.tsx';
import { EnvironmentSwitch } from './environment-bar.tsx';
import { NAVIGATION } from './navigation.ts';

export function Brand() {
  return (
    <Link
      to="/"
      className="flex items-center gap-2 rounded-sm text-base font-semibold tracking-tight text-ink no-underline"
    >
      <img src="/dashboard/favicon.svg" alt="" width="24" height="24" className="size-6" />
      dues
    </Link>
  );
}

interface SidebarProps {
  readonly onSearch: () => void;
  readonly onHelp: () => void;
}

export function Sidebar({ onSearch, onHelp }: SidebarProps) {
  return (
    <div className="flex h-full flex-col gap-3 overflow-y-auto p-3">
      <div className="flex h-8 items-center justify-between px-1">
        <Brand />
        <LiveMark />
      </div>
      <EnvironmentSwitch />
      <button
        type="button"
        onClick={onSearch}
        className="flex min-h-8 items-center gap-2 rounded-md border border-line px-2 text-soft hover:bg-sunken"
      >
        <Icon name="search" />
        <span className="flex-1 text-left">{shell.search}</span>
        <kbd className="rounded-sm border border-line px-1.5 font-mono text-xs whitespace-nowrap">
          {isApple ? '⌘K' : 'Ctrl K'}
        </kbd>
      </button>
      <nav aria-label={shell.navigation} className="grid gap-4">
        {NAVIGATION.map(({ label, items }) => (
          <div key={label ?? ''}>
            {label && <p className="px-2 pb-1 text-xs font-medium text-soft">{label}</p>}
            <ul className="grid gap-px">
              {items.map((item) => (
                <li key={item.to}>
                  <Link
                    to={item.to}
                    activeOptions={{ exact: item.to === '/', includeSearch: false }}
                    className="flex min-h-8 items-center gap-2.5 rounded-md px-2 text-soft no-underline hover:bg-sunken hover:text-ink aria-[current=page]:bg-accent-ground aria-[current=page]:font-medium aria-[current=page]:text-accent"
                  >
                    <Icon name={item.icon} />
                    {item.label}
                  </Link>
                </li>
              ))}
            </ul>
          </div>
        ))}
      </nav>
      <div className="mt-auto grid gap-1 border-t border-line pt-2">
        <button
          type="button"
          onClick={onHelp}
          className="flex min-h-8 items-center gap-2.5 rounded-md px-2 text-soft hover:bg-sunken hover:text-ink"
        >
          <Icon name="help" />
          <span className="flex-1 text-left">{shell.help}</span>
          <kbd className="rounded-sm border border-line px-1.5 font-mono text-xs">?</kbd>
        </button>
        <AccountMenu />
      </div>
    </div>
  );
}

/** Shows whether the page receives live updates. */
function LiveMark() {
  const state = useLiveState();
  const dot = { live: 'bg-good', connecting: 'bg-warn animate-pulse', offline: 'bg-bad' }[state];
  return (
    <span
      role="status"
      title={shell.liveHint[state]}
      className="flex items-center gap-1.5 text-xs text-soft max-lg:mr-8"
    >
      <span aria-hidden="true" className={`size-1.5 rounded-full ${dot}`} />
      {shell.live[state]}
    </span>
  );
}
