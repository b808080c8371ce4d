import type { QueryClient } from '@tanstack/react-query';
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  Outlet,
  redirect,
} from '@tanstack/react-router';
import { followBillingClock } from '../shared/api/billing-clock.ts';
import { basePath } from '../shared/api/environment.ts';
import { anyText, paging, searchParams } from '../shared/api/search-params.ts';
import { readViewer } from '../shared/api/viewer.ts';
import { auditSearch } from './pages/audit/search.ts';
import { customersSearch } from './pages/customers/search.ts';
import { discountsSearch } from './pages/discounts/search.ts';
import { eventsSearch } from './pages/events/search.ts';
import { keysSearch } from './pages/keys/search.ts';
import { linksSearch } from './pages/links/search.ts';
import { overviewSearch } from './pages/overview/search.ts';
import { paymentsSearch } from './pages/payments/search.ts';
import { plansSearch } from './pages/plans/search.ts';
import { receiptsSearch } from './pages/receipts/search.ts';
import { subscriptionsSearch } from './pages/subscriptions/search.ts';
import { teamSearch } from './pages/team/search.ts';
import { deliveriesSearch } from './pages/webhooks/search.ts';
import { MissingPath, PageFailed } from './shell/page-failed.tsx';
import { Shell } from './shell/shell.tsx';

interface RouterContext {
  readonly client: QueryClient;
}

const root = createRootRouteWithContext<RouterContext>()({
  component: Outlet,
  errorComponent: PageFailed,
});

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: searchParams({ next: anyText }),
}).lazy(() => import('./pages/sign-in/page.tsx').then(({ route }) => route));

/** The parent of all pages that require a sign-in. */
const app = createRoute({
  getParentRoute: () => root,
  id: 'app',
  beforeLoad: async ({ context: { client }, location }) => {
    if (await readViewer(client)) return followBillingClock(client);
    const next = location.href === '/' ? undefined : location.href;
    throw redirect({ to: '/sign-in', search: { next } });
  },
  component: Shell,
  errorComponent: PageFailed,
});

// One line per page: the path, its search parameters, and the file that is loaded when it opens.
const inApp = { getParentRoute: () => app } as const;
const pages = [
  createRoute({ ...inApp, path: '/', validateSearch: overviewSearch }).lazy(() =>
    import('./pages/overview/page.tsx').then(({ route }) => route),
  ),
  createRoute({ ...inApp, path: '/onboarding' }).lazy(() =>
    import('./pages/onboarding/page.tsx').then(({ route }) => route),
  ),
  createRoute({ ...inApp, path: '/plans', validateSearch: plansSearch }).lazy(() =>
    import('./pages/plans/page.tsx').then(({ route }) => route),
  ),
  createRoute({ ...inApp, path: '/plans/new' }).lazy(() =>
    import('./pages/plan-create/page.tsx').then(({ route }) => route),
  ),
  createRoute({ ...inApp, path: '/plans/$planId' }).lazy(() =>
    import('./pages/plan/page.tsx').then(({ route }) => route),
  ),
  createRoute({ ...inApp, path: '/links', validateSearch: linksSearch }).lazy(() =>
    import('./pages/links/page.tsx').then(({ route }) => route),
  ),
  createRoute({ ...inApp, path: '/discounts', validateSearch: discountsSearch }).lazy(() =>
    import('./pages/discounts/page.tsx').then(({ route }) => route),
  ),
  createRoute({ ...inApp, path: '/discounts/new' }).lazy(() =>
    import('./pages/discount-create/page.tsx').then(({ route }) => route),
  ),
  createRoute({ ...inApp, path: '/discounts/$id', validateSearch: searchParams(paging) }).lazy(() =>
    import('./pages/discount/page.tsx').then(({ route }) => route),
  ),
  createRoute({ ...inApp, path: '/subscriptions', validateSearch: subscriptionsSearch }).lazy(() =>
    import('./pages/subscriptions/page.tsx').then(({ route }) => route),
  ),
  createRoute({ ...inApp, path: '/subscriptions/$id' }).lazy(() =>
    import('./pages/subscription/page.tsx').then(({ route }) => route),
  ),
  createRoute({ ...inApp, path: '/payments', validateSearch: paymentsSearch }).lazy(() =>
    import('./pages/payments/page.tsx').then(({ route }) => route),
  ),
  createRoute({ ...inApp, path: '/payments/$id' }).lazy(() =>
    import('./pages/payment/page.tsx').then(({ route }) => route),
  ),
  createRoute({ ...inApp, path: '/receipts', validateSearch: receiptsSearch }).lazy(() =>
    import('./pages/receipts/page.tsx').then(({ route }) => route),
  ),
  createRoute({ ...inApp, path: '/customers', validateSearch: customersSearch }).lazy(() =>
    import('./pages/customers/page.tsx').then(({ route }) => route),
  ),
  createRoute({ ...inApp, path: '/customers/$id' }).lazy(() =>
    import('./pages/customer/page.tsx').then(({ route }) => route),
  ),
  createRoute({ ...inApp, path: '/webhooks', validateSearch: deliveriesSearch }).lazy(() =>
    import('./pages/webhooks/page.tsx').then(({ route }) => route),
  ),
  createRoute({ ...inApp, path: '/webhooks/$id', validateSearch: deliveriesSearch }).lazy(() =>
    import('./pages/webhook/page.tsx').then(({ route }) => route),
  ),
  createRoute({ ...inApp, path: '/deliveries/$id' }).lazy(() =>
    import('./pages/delivery/page.tsx').then(({ route }) => route),
  ),
  createRoute({ ...inApp, path: '/events', validateSearch: eventsSearch }).lazy(() =>
    import('./pages/events/page.tsx').then(({ route }) => route),
  ),
  createRoute({ ...inApp, path: '/events/$id' }).lazy(() =>
    import('./pages/event/page.tsx').then(({ route }) => route),
  ),
  createRoute({ ...inApp, path: '/keys', validateSearch: keysSearch }).lazy(() =>
    import('./pages/keys/page.tsx').then(({ route }) => route),
  ),
  createRoute({ ...inApp, path: '/team', validateSearch: teamSearch }).lazy(() =>
    import('./pages/team/page.tsx').then(({ route }) => route),
  ),
  createRoute({ ...inApp, path: '/settings' }).lazy(() =>
    import('./pages/settings/page.tsx').then(({ route }) => route),
  ),
  createRoute({ ...inApp, path: '/audit', validateSearch: auditSearch }).lazy(() =>
    import('./pages/audit/page.tsx').then(({ route }) => route),
  ),
  createRoute({ ...inApp, path: '/health' }).lazy(() =>
    import('./pages/health/page.tsx').then(({ route }) => route),
  ),
] as const;

/** Any other path. It is shown inside the shell, so that the navigation is available. */
const missing = createRoute({ getParentRoute: () => app, path: '/$', component: MissingPath });

const tree = root.addChildren([signIn, app.addChildren([...pages, missing])]);

export function createDashboardRouter(client: QueryClient) {
  return createRouter({
    routeTree: tree,
    basepath: basePath,
    context: { client },
    defaultPreload: 'intent',
    defaultPreloadStaleTime: 0,
    defaultErrorComponent: PageFailed,
    scrollRestoration: true,
  });
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createDashboardRouter>;
  }
}
