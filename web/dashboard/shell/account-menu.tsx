import { useId } from 'react';
import { graphql } from '../../shared/api/graphql.ts';
import { useChange } from '../../shared/api/query.ts';
import { useViewer } from '../../shared/api/viewer.ts';
import { ShortId } from '../../shared/components/copy-button.tsx';
import { Icon } from '../../shared/components/icon.tsx';
import { useToast } from '../../shared/components/toasts.tsx';
import { shell } from '../../shared/text/shell.ts';
import { Preferences } from './preferences.tsx';
import { reloadDashboard } from './reload-dashboard.ts';

const CHOOSE_MERCHANT = graphql(/* GraphQL */ `
  mutation ChooseMerchant($merchantId: ID!) {
    chooseMerchant(merchantId: $merchantId) {
      merchantId
    }
  }
`);

const SIGN_OUT = graphql(/* GraphQL */ `
  mutation SignOut {
    signOut
  }
`);

/** Ends all member sessions of the wallet. */
export const SIGN_OUT_EVERYWHERE = graphql(/* GraphQL */ `
  mutation SignOutEverywhere {
    signOutEverywhere
  }
`);

const itemClass = 'flex min-h-8 w-full items-center gap-2 rounded-md px-2 text-left hover:bg-sunken';

/** A menu with the merchants, the member, and the settings of this browser. */
export function AccountMenu() {
  const id = useId();
  const viewer = useViewer();
  const choose = useChange(CHOOSE_MERCHANT, { onDone: reloadDashboard });
  const signOut = useChange(SIGN_OUT, { onDone: reloadDashboard });
  const signOutEverywhere = useChange(SIGN_OUT_EVERYWHERE, { onDone: reloadDashboard });
  const toast = useToast();
  const showError = { onError: ({ message }: Error) => toast(message, 'bad') };
  const { companyName } = viewer.merchant;
  return (
    <>
      <button
        type="button"
        popoverTarget={id}
        className="flex min-h-11 items-center gap-2.5 rounded-md px-2 text-left hover:bg-sunken"
      >
        <span
          aria-hidden="true"
          className="grid size-7 shrink-0 place-items-center rounded-md bg-accent-ground font-semibold text-accent"
        >
          {companyName.slice(0, 1).toUpperCase()}
        </span>
        <span className="min-w-0 flex-1">
          <span className="block truncate font-medium">{companyName}</span>
          <span className="block truncate text-xs text-soft">{shell.roles[viewer.role]}</span>
        </span>
        <Icon name="chevronDown" className="size-4 text-soft" />
      </button>
      <div
        id={id}
        popover="auto"
        className="fixed inset-auto bottom-4 left-4 w-[min(17rem,calc(100vw-2rem))] rounded-lg border border-line bg-surface p-2 text-ink shadow-high"
      >
        <p className="px-2 py-1 text-soft">
          <ShortId value={viewer.walletAddress} />
        </p>
        {viewer.memberships.length > 1 && (
          <ul aria-label={shell.merchant} className="my-1 border-y border-line py-1">
            {viewer.memberships.map(({ merchantId, merchant, role }) => (
              <li key={merchantId}>
                <button
                  type="button"
                  disabled={merchantId === viewer.merchantId || choose.isPending}
                  onClick={() => choose.mutate({ merchantId }, showError)}
                  className={itemClass}
                >
                  <span className="min-w-0 flex-1 truncate">{merchant.companyName}</span>
                  <span className="text-xs text-soft">{shell.roles[role]}</span>
                  {merchantId === viewer.merchantId && <Icon name="check" />}
                </button>
              </li>
            ))}
          </ul>
        )}
        <div className="grid gap-2 border-t border-line px-2 py-2">
          <Preferences />
        </div>
        <div className="mt-1 border-t border-line pt-1">
          <button type="button" className={itemClass} onClick={() => signOut.mutate({}, showError)}>
            <Icon name="signOut" />
            {shell.signOut}
          </button>
          <button type="button" className={itemClass} onClick={() => signOutEverywhere.mutate({}, showError)}>
            <Icon name="monitor" />
            {shell.signOutEverywhere}
          </button>
        </div>
      </div>
    </>
  );
}
