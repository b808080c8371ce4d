import { useLocation, useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';

/** The pages whose dialog can be asked for: the one that creates what they list. */
export type DialogPage = '/links' | '/webhooks' | '/keys' | '/team';

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The page that opens its dialog, because an action of the command menu asked for it. */
    opensDialogOf?: DialogPage;
  }
}

/** Opens the dialog of a page if an action of the command menu asked for it. A reload does not. */
export function useAskedDialog(page: DialogPage, open: () => void): void {
  // The page before sees the new location too, until this one is shown.
  const isAsked = useLocation({ select: ({ state }) => state.opensDialogOf === page });
  const navigate = useNavigate();
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each time it is asked
  useEffect(() => {
    if (!isAsked) return;
    open();
    void navigate({ to: '.', search: true, state: {}, replace: true });
  }, [isAsked]);
}
