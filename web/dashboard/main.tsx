import { QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { isSignedOut } from '../shared/api/api-error.ts';
import { basePath, environmentOf } from '../shared/api/environment.ts';
import { VIEWER } from '../shared/api/viewer.ts';
import { ToastProvider } from '../shared/components/toasts.tsx';
import { keepFocus } from '../shared/keyboard/keep-focus.ts';
import { applyTheme } from '../shared/theme/use-theme.ts';
import { TimeZoneProvider } from '../shared/time/time-zone.tsx';
import { createDashboardRouter } from './routes.tsx';

applyTheme();
keepFocus();

if (environmentOf(location.pathname) === undefined) location.replace(`${basePath}/`);
else start();

function start(): void {
  const client = new QueryClient({
    queryCache: new QueryCache({
      // When the member session has ended, the next page is the sign-in.
      onError: (error, { queryKey }) => {
        if (!isSignedOut(error) || queryKey[0] === VIEWER) return;
        client.removeQueries({ queryKey: [VIEWER] });
        void router.invalidate();
      },
    }),
    // Live events report changes, so focusing the window needs no request.
    defaultOptions: {
      queries: { staleTime: 30_000, refetchOnWindowFocus: false, networkMode: 'always' },
      // Offline, a change fails at once. It must not wait and be sent later without notice.
      mutations: { networkMode: 'always', gcTime: 0 },
    },
  });
  const router = createDashboardRouter(client);
  const root = document.getElementById('app');
  if (!root) throw new Error('The page has no element for the app.');
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={client}>
        <TimeZoneProvider>
          <ToastProvider>
            <RouterProvider router={router} />
          </ToastProvider>
        </TimeZoneProvider>
      </QueryClientProvider>
    </StrictMode>,
  );
}
