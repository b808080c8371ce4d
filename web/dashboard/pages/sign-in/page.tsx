import { useQueryClient } from '@tanstack/react-query';
import { createLazyRoute, getRouteApi, useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import type { SignInMutation, SignInOutput } from '../../../generated/graphql.ts';
import { ApiError, isSignedOut } from '../../../shared/api/api-error.ts';
import { ask } from '../../../shared/api/ask.ts';
import { graphql } from '../../../shared/api/graphql.ts';
import { VIEWER } from '../../../shared/api/viewer.ts';
import { Button, Spinner } from '../../../shared/components/button.tsx';
import { EmptyState } from '../../../shared/components/empty-state.tsx';
import { Icon } from '../../../shared/components/icon.tsx';
import { showTitle } from '../../../shared/components/show-title.ts';
import { shell } from '../../../shared/text/shell.ts';
import { signInText as text } from '../../../shared/text/sign-in.ts';
import { signInWith } from '../../../shared/wallet/sign-in.ts';
import { type SolanaWallet, useWallets } from '../../../shared/wallet/wallets.ts';
import { NewMerchant } from './new-merchant.tsx';

const SIGN_IN_INPUT = graphql(/* GraphQL */ `
  mutation SignInInput($address: String) {
    signInInput(address: $address) {
      address
      chainId
      domain
      expirationTime
      issuedAt
      nonce
      statement
      uri
      version
    }
  }
`);

const SIGN_IN = graphql(/* GraphQL */ `
  mutation SignIn($output: SignInOutput!) {
    signIn(output: $output) {
      merchantId
      memberships {
        merchantId
        role
        merchant {
          companyName
        }
      }
    }
  }
`);

const CAN_CREATE_MERCHANT = graphql(/* GraphQL */ `
  query CanCreateMerchant($address: String!) {
    canCreateMerchant(address: $address)
  }
`);

const CHOOSE = graphql(/* GraphQL */ `
  mutation SignInToMerchant($merchantId: ID!) {
    chooseMerchant(merchantId: $merchantId) {
      merchantId
    }
  }
`);

type SignedIn = SignInMutation['signIn'];

export const route = createLazyRoute('/sign-in')({ component: SignInPage });

const api = getRouteApi('/sign-in');

function SignInPage() {
  const { next } = api.useSearch();
  const client = useQueryClient();
  const router = useRouter();
  const [signedIn, setSignedIn] = useState<SignedIn>();
  const [newcomer, setNewcomer] = useState<SignInOutput>();
  useEffect(() => {
    showTitle(`${text.title} · dues`);
  }, []);

  const enter = (path: string = next?.startsWith('/') ? next : '/') => {
    client.removeQueries({ queryKey: [VIEWER] });
    router.history.push(router.options.basepath + path);
  };
  const onSignedIn = (viewer: SignedIn) => {
    if (viewer.memberships.length > 1) setSignedIn(viewer);
    else enter();
  };
  const [title, hint] = newcomer
    ? [text.newTitle, text.newHint]
    : signedIn
      ? [text.choose, text.chooseHint]
      : [text.title, text.description];
  return (
    <main className="grid min-h-dvh place-items-center p-4">
      <div className="w-full max-w-sm">
        <div className="mb-6 flex flex-col items-center text-center">
          <img src="/dashboard/favicon.svg" alt="" width="40" height="40" className="mb-4 size-10" />
          <h1 className="text-xl font-semibold tracking-tight">{title}</h1>
          <p className="mt-1 text-soft">{hint}</p>
        </div>
        <div className="rounded-lg border border-line bg-surface p-2 shadow-low">
          {newcomer ? (
            <NewMerchant
              output={newcomer}
              onCreated={() => enter('/onboarding')}
              onCancel={() => setNewcomer(undefined)}
            />
          ) : signedIn ? (
            <MerchantList signedIn={signedIn} onEnter={() => enter()} />
          ) : (
            <WalletList onSignedIn={onSignedIn} onNewcomer={setNewcomer} />
          )}
        </div>
      </div>
    </main>
  );
}

const rowClass =
  'flex min-h-12 w-full items-center gap-3 rounded-md px-3 text-left font-medium hover:bg-sunken disabled:opacity-60';

interface WalletListProps {
  readonly onSignedIn: (viewer: SignedIn) => void;
  /** Called if the wallet is a member of no merchant and may create one. */
  readonly onNewcomer: (output: SignInOutput) => void;
}

function WalletList({ onSignedIn, onNewcomer }: WalletListProps) {
  const wallets = useWallets();
  const [waiting, setWaiting] = useState<SolanaWallet>();
  const [problem, setProblem] = useState<string>();

  const signIn = async (wallet: SolanaWallet) => {
    setWaiting(wallet);
    setProblem(undefined);
    try {
      const output = await signInWith(wallet, async (address) => {
        const { signInInput } = await ask(SIGN_IN_INPUT, { address });
        return signInInput;
      });
      const viewer = await signInMember(output);
      if (viewer) onSignedIn(viewer);
      else onNewcomer(output);
    } catch (error) {
      setProblem(problemOf(wallet, error));
    } finally {
      setWaiting(undefined);
    }
  };
  if (wallets.length === 0) {
    return (
      <EmptyState
        icon="wallet"
        title={text.none}
        actions={
          <Button icon="refresh" onClick={() => location.reload()}>
            {text.reload}
          </Button>
        }
      >
        {text.noneHint}
      </EmptyState>
    );
  }
  return (
    <>
      <ul aria-label={text.wallets}>
        {wallets.map((wallet) => (
          <li key={wallet.name}>
            <button
              type="button"
              disabled={waiting !== undefined}
              onClick={() => void signIn(wallet)}
              className={rowClass}
            >
              <img src={wallet.icon} alt="" className="size-7 rounded-md" />
              <span className="min-w-0 flex-1 truncate">{wallet.name}</span>
              {waiting === wallet ? <Spinner /> : <Icon name="chevronRight" className="size-4 text-soft" />}
            </button>
          </li>
        ))}
      </ul>
      <p role="status" className="px-3 text-soft empty:hidden">
        {waiting && text.waiting}
      </p>
      {problem && (
        <p role="alert" className="m-1 rounded-md bg-bad-ground px-3 py-2 text-bad">
          {problem}
        </p>
      )}
    </>
  );
}

/** Signs a wallet in; undefined if it is a member of no merchant and may create one. */
async function signInMember(output: SignInOutput): Promise<SignedIn | undefined> {
  try {
    return (await ask(SIGN_IN, { output })).signIn;
  } catch (error) {
    if (!isSignedOut(error)) throw error;
    const { canCreateMerchant } = await ask(CAN_CREATE_MERCHANT, { address: output.address });
    if (!canCreateMerchant) throw error;
    return undefined;
  }
}

function problemOf(wallet: SolanaWallet, error: unknown): string {
  if (isSignedOut(error)) return text.noMember;
  if (error instanceof ApiError) return error.message;
  return text.refused(wallet.name, error instanceof Error ? error.message : String(error));
}

interface MerchantListProps {
  readonly signedIn: SignedIn;
  readonly onEnter: () => void;
}

function MerchantList({ signedIn, onEnter }: MerchantListProps) {
  const [problem, setProblem] = useState<string>();
  const choose = (merchantId: string) => {
    if (merchantId === signedIn.merchantId) onEnter();
    else ask(CHOOSE, { merchantId }).then(onEnter, (error: Error) => setProblem(error.message));
  };
  return (
    <>
      <ul>
        {signedIn.memberships.map(({ merchantId, merchant, role }) => (
          <li key={merchantId}>
            <button type="button" onClick={() => choose(merchantId)} className={rowClass}>
              <span className="min-w-0 flex-1 truncate">{merchant.companyName}</span>
              <span className="font-normal text-soft">{shell.roles[role]}</span>
              <Icon name="chevronRight" className="size-4 text-soft" />
            </button>
          </li>
        ))}
      </ul>
      {problem && (
        <p role="alert" className="m-1 text-bad">
          {problem}
        </p>
      )}
    </>
  );
}
