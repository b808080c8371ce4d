import { Outlet, useLocation, useNavigate, useRouter } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useState } from 'react';
import { isLive } from '../../shared/api/environment.ts';
import { LiveProvider } from '../../shared/api/live.tsx';
import { useViewer } from '../../shared/api/viewer.ts';
import { IconButton } from '../../shared/components/button.tsx';
import { focusRow } from '../../shared/components/focus-row.ts';
import { focusContent } from '../../shared/keyboard/keep-focus.ts';
import { useShortcuts } from '../../shared/keyboard/use-shortcuts.ts';
import { shell } from '../../shared/text/shell.ts';
import { Drawer } from './drawer.tsx';
import { EnvironmentBar } from './environment-bar.tsx';
import { PAGES } from './navigation.ts';
import { Brand, Sidebar } from './sidebar.tsx';

// Loaded later, to keep the first load small.
const loadMenu = () => import('./command-menu.tsx').then((file) => ({ default: file.CommandMenu }));
const CommandMenu = lazy(loadMenu);
const RestoreBanner = lazy(() =>
  import('./restore-banner.tsx').then((file) => ({ default: file.RestoreBanner })),
);
const HelpDialog = lazy(() => import('./help-dialog.tsx').then((file) => ({ default: file.HelpDialog })));

/** The frame around every page: the environment bar, the navigation, and the keyboard shortcuts. */
export function Shell() {
  const navigate = useNavigate();
  const path = useLocation({ select: ({ pathname }) => pathname });
  const [opened, setOpened] = useState<'menu' | 'help' | 'commands'>();
  const close = () => setOpened(undefined);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new page closes the menu
  useEffect(close, [path]);
  const { uncheckedRestore } = useViewer();
  const router = useRouter();
  useEffect(
    () =>
      router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
        if (fromLocation && pathChanged) focusContent();
      }),
    [router],
  );
  // Loaded early, so that no key typed right after `/` is lost.
  useEffect(() => void setTimeout(loadMenu, 1_000), []);
  useShortcuts({
    '?': () => setOpened('help'),
    '/': () => setOpened('commands'),
    'mod k': () => setOpened('commands'),
    j: () => focusRow(1),
    k: () => focusRow(-1),
    ...Object.fromEntries(PAGES.map(({ key, to }) => [`g ${key}`, () => void navigate({ to })])),
  });
  return (
    <LiveProvider>
      <div className={isLive ? '[--bar:0px]' : '[--bar:1.75rem]'}>
        <a
          href="#content"
          className="fixed top-2 left-2 z-50 -translate-y-16 rounded-md bg-accent px-3 py-1.5 text-on-accent focus:translate-y-0"
        >
          {shell.skip}
        </a>
        {!isLive && <EnvironmentBar />}
        <div className="lg:grid lg:grid-cols-[15rem_minmax(0,1fr)]">
          <header className="sticky top-(--bar) z-20 flex items-center justify-between gap-2 border-b border-line bg-surface px-3 py-2 lg:hidden">
            <Brand />
            <span className="flex">
              <IconButton icon="search" label={shell.search} onClick={() => setOpened('commands')} />
              <IconButton icon="menu" label={shell.openMenu} onClick={() => setOpened('menu')} />
            </span>
          </header>
          <div className="sticky top-(--bar) hidden h-[calc(100dvh-var(--bar))] border-r border-line bg-surface lg:block">
            <Sidebar onSearch={() => setOpened('commands')} onHelp={() => setOpened('help')} />
          </div>
          <main id="content" tabIndex={-1} className="min-w-0">
            {uncheckedRestore && (
              <Suspense>
                <RestoreBanner restore={uncheckedRestore} />
              </Suspense>
            )}
            <Outlet />
          </main>
        </div>
        {opened === 'menu' && (
          <Drawer onClose={close}>
            <Sidebar onSearch={() => setOpened('commands')} onHelp={() => setOpened('help')} />
          </Drawer>
        )}
        <Suspense>
          {opened === 'help' && <HelpDialog onClose={close} />}
          {opened === 'commands' && <CommandMenu onHelp={() => setOpened('help')} onClose={close} />}
        </Suspense>
      </div>
    </LiveProvider>
  );
}
