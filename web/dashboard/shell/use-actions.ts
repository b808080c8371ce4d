import { useLocation, useNavigate } from '@tanstack/react-router';
import type { DialogPage } from '../../shared/api/asked-dialog.ts';
import { basePath, isLive, pathIn } from '../../shared/api/environment.ts';
import { usePermissions } from '../../shared/api/viewer.ts';
import type { IconName } from '../../shared/components/icon.tsx';
import { shell } from '../../shared/text/shell.ts';
import { useTheme } from '../../shared/theme/use-theme.ts';

export interface Action {
  readonly key: string;
  readonly icon: IconName;
  readonly label: string;
  readonly open: () => unknown;
}

interface ListedAction extends Action {
  /** Whether the role of the member allows it. */
  readonly isAllowed: boolean;
}

/** The actions of the command menu that the member may do, in the order of the menu. */
export function useActions({ onHelp }: { readonly onHelp: () => void }): readonly Action[] {
  const navigate = useNavigate();
  const { write, own } = usePermissions();
  const [theme, setTheme] = useTheme();
  const path = useLocation({ select: ({ pathname }) => pathname });
  const fullPath = path.startsWith(basePath) ? path : `${basePath}${path}`;
  const text = shell.actions;
  const inDialog = (to: DialogPage) => () => navigate({ to, state: { opensDialogOf: to } });
  const isDark = theme === 'system' ? matchMedia('(prefers-color-scheme: dark)').matches : theme === 'dark';
  const actions: readonly ListedAction[] = [
    {
      key: 'create plan',
      icon: 'plus',
      label: text.createPlan,
      isAllowed: write,
      open: () => navigate({ to: '/plans/new' }),
    },
    {
      key: 'create link',
      icon: 'plus',
      label: text.createLink,
      isAllowed: write,
      open: inDialog('/links'),
    },
    {
      key: 'create discount',
      icon: 'plus',
      label: text.createDiscount,
      isAllowed: write,
      open: () => navigate({ to: '/discounts/new' }),
    },
    {
      key: 'add endpoint',
      icon: 'plus',
      label: text.addEndpoint,
      isAllowed: write,
      open: inDialog('/webhooks'),
    },
    { key: 'create key', icon: 'plus', label: text.createKey, isAllowed: write, open: inDialog('/keys') },
    {
      key: 'invite member',
      icon: 'plus',
      label: text.inviteMember,
      isAllowed: own,
      open: inDialog('/team'),
    },
    {
      key: 'switch environment',
      icon: 'refresh',
      label: isLive ? shell.toTest : shell.toLive,
      isAllowed: true,
      // Another environment is another page, so that no data of this one stays in memory.
      open: () => location.assign(pathIn(isLive ? 'test' : 'live', fullPath)),
    },
    {
      key: 'switch theme',
      icon: isDark ? 'sun' : 'moon',
      label: isDark ? text.lightTheme : text.darkTheme,
      isAllowed: true,
      open: () => setTheme(isDark ? 'light' : 'dark'),
    },
    { key: 'help', icon: 'help', label: shell.help, isAllowed: true, open: onHelp },
  ];
  return actions.filter(({ isAllowed }) => isAllowed);
}
