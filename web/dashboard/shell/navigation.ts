import type { IconName } from '../../shared/components/icon.tsx';
import { shell } from '../../shared/text/shell.ts';

export interface NavigationItem {
  readonly to:
    | '/'
    | '/onboarding'
    | '/plans'
    | '/links'
    | '/discounts'
    | '/subscriptions'
    | '/payments'
    | '/receipts'
    | '/customers'
    | '/webhooks'
    | '/events'
    | '/keys'
    | '/team'
    | '/settings'
    | '/audit'
    | '/health';
  readonly label: string;
  readonly icon: IconName;
  /** The key after `g` that opens the page. */
  readonly key: string;
}

interface NavigationGroup {
  readonly label: string | undefined;
  readonly items: readonly NavigationItem[];
}

const { pages, groups } = shell;

/** The pages in the sidebar, with their keyboard shortcuts. */
export const NAVIGATION: readonly NavigationGroup[] = [
  {
    label: undefined,
    items: [
      { to: '/', label: pages.overview, icon: 'home', key: 'o' },
      { to: '/onboarding', label: pages.onboarding, icon: 'rocket', key: 'b' },
    ],
  },
  {
    label: groups.billing,
    items: [
      { to: '/plans', label: pages.plans, icon: 'plans', key: 'p' },
      { to: '/links', label: pages.links, icon: 'external', key: 'l' },
      { to: '/discounts', label: pages.discounts, icon: 'discount', key: 'd' },
      { to: '/subscriptions', label: pages.subscriptions, icon: 'subscriptions', key: 's' },
      { to: '/payments', label: pages.payments, icon: 'payments', key: 'y' },
      { to: '/receipts', label: pages.receipts, icon: 'receipt', key: 'r' },
      { to: '/customers', label: pages.customers, icon: 'customers', key: 'c' },
    ],
  },
  {
    label: groups.developers,
    items: [
      { to: '/webhooks', label: pages.webhooks, icon: 'webhooks', key: 'w' },
      { to: '/events', label: pages.events, icon: 'events', key: 'e' },
      { to: '/keys', label: pages.keys, icon: 'key', key: 'k' },
    ],
  },
  {
    label: groups.account,
    items: [
      { to: '/team', label: pages.team, icon: 'team', key: 't' },
      { to: '/settings', label: pages.settings, icon: 'settings', key: ',' },
      { to: '/audit', label: pages.audit, icon: 'audit', key: 'a' },
      { to: '/health', label: pages.health, icon: 'health', key: 'h' },
    ],
  },
];

export const PAGES = NAVIGATION.flatMap(({ items }) => items);
