import { getBase58Decoder } from '@solana/kit';
import { useEffect, useState } from 'react';
import { ApiError } from '../api/api-error.ts';
import { useCluster } from '../api/cluster.ts';
import { isLive } from '../api/environment.ts';
import { usePermissions, useViewer } from '../api/viewer.ts';
import { labels } from '../text/labels.ts';
import { signing as text } from '../text/signing.ts';
import {
  canSendOn,
  connectAccount,
  type SolanaWallet,
  signAndSend,
  useWallets,
  WrongAccount,
} from '../wallet/wallets.ts';
import { Button, Spinner } from './button.tsx';
import { ConfirmDialog } from './confirm-dialog.tsx';
import { ShortId } from './copy-button.tsx';
import { Icon } from './icon.tsx';
import { OnChain } from './on-chain.tsx';

interface SignTransactionProps {
  /** The wallet that must sign. Base58. */
  readonly signer: string;
  /** The verb of the action and what it does, for the confirmation in LIVE. */
  readonly action: string;
  readonly effect: string;
  readonly danger?: boolean;
  /** Asks the server for a new transaction; each is valid for about a minute. */
  readonly readTransaction: () => Promise<string>;
  /** Called after sending, for a change that the page cannot observe. */
  readonly onSent?: (signature: string) => void;
}

/** The request to a wallet, or its outcome. */
type Progress =
  | { readonly kind: 'idle' }
  | { readonly kind: 'asking'; readonly wallet: SolanaWallet; readonly hint: string }
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'sent'; readonly signature: string };

/**
 * Asks the merchant's wallet to sign and send a transaction. Each attempt reads a new one, so that
 * none has expired. The page replaces this component when the change has been seen on chain.
 */
export function SignTransaction(props: SignTransactionProps) {
  const { signer, action, effect, danger = false, readTransaction, onSent } = props;
  const [progress, setProgress] = useState<Progress>({ kind: 'idle' });
  const [confirming, setConfirming] = useState<SolanaWallet>();
  const cluster = useCluster();
  const viewer = useViewer();
  const permissions = usePermissions();
  const allWallets = useWallets();

  const sign = async (wallet: SolanaWallet, chain: `solana:${string}`) => {
    const ask = (hint: string) => setProgress({ kind: 'asking', wallet, hint });
    try {
      ask(text.connecting);
      const account = await connectAccount(wallet, signer);
      ask(text.preparing);
      const transaction = await readTransaction();
      ask(text.approving);
      const signature = getBase58Decoder().decode(await signAndSend(wallet, account, transaction, chain));
      setProgress({ kind: 'sent', signature });
      onSent?.(signature);
    } catch (error) {
      setProgress({ kind: 'failed', message: messageOf(wallet, signer, error) });
    }
  };

  if (!cluster) return <Spinner />;
  const chain = cluster.chain as `solana:${string}`;
  const wallets = allWallets.filter((wallet) => canSendOn(wallet, chain));
  if (progress.kind === 'sent') {
    return <Sent signature={progress.signature} onAgain={() => setProgress({ kind: 'idle' })} />;
  }
  if (!permissions.write) return <p className="text-soft">{labels.readOnly}</p>;
  const askedWallet = progress.kind === 'asking' ? progress.wallet : undefined;
  return (
    <div className="grid justify-items-start gap-3">
      <p className="flex flex-wrap items-center gap-x-2 text-soft">
        {text.signer} <ShortId value={signer} />
      </p>
      {viewer.walletAddress !== signer && (
        <Note tone="warn">{text.otherMember(shorten(viewer.walletAddress))}</Note>
      )}
      {wallets.length === 0 && (
        <Note tone="warn">
          <strong className="font-semibold">{text.none}.</strong> {text.noneHint(chain)}
        </Note>
      )}
      {wallets.map((wallet) => {
        const [connected] = wallet.accounts;
        const isOther = connected && !wallet.accounts.some(({ address }) => address === signer);
        return (
          <div key={wallet.name} className="grid gap-1">
            <Button
              kind={isOther ? 'secondary' : 'primary'}
              className="justify-self-start"
              busy={askedWallet === wallet}
              disabled={askedWallet !== undefined && askedWallet !== wallet}
              onClick={() => (isLive ? setConfirming(wallet) : void sign(wallet, chain))}
            >
              {text.with(wallet.name)}
            </Button>
            {isOther && (
              <span className="text-warn">{text.otherAccount(wallet.name, shorten(connected.address))}</span>
            )}
          </div>
        );
      })}
      <p role="status" className="text-soft empty:hidden">
        {progress.kind === 'asking' && progress.hint}
      </p>
      {progress.kind === 'failed' && (
        <Note tone="bad" isAlert>
          {progress.message}
        </Note>
      )}
      {confirming && (
        <ConfirmDialog
          title={action}
          action={action}
          danger={danger}
          onClose={() => setConfirming(undefined)}
          onConfirm={() => {
            setConfirming(undefined);
            void sign(confirming, chain);
          }}
        >
          {effect}
        </ConfirmDialog>
      )}
    </div>
  );
}

/** After this time a transaction has most likely expired. */
const LATE_AFTER_MS = 90_000;

function Sent({ signature, onAgain }: { readonly signature: string; readonly onAgain: () => void }) {
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), LATE_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div className="grid justify-items-start gap-2">
      <p role="status" className="flex items-center gap-2">
        {isLate ? <Icon name="alert" className="size-4 text-warn" /> : <Spinner />}
        {isLate ? text.late : text.sent}
      </p>
      <OnChain kind="tx" value={signature} />
      {isLate && <Button onClick={onAgain}>{text.again}</Button>}
    </div>
  );
}

function messageOf(wallet: SolanaWallet, signer: string, error: unknown): string {
  if (error instanceof WrongAccount) return text.wrongAccount(wallet.name, shorten(signer));
  if (error instanceof ApiError) return error.message;
  const reason = error instanceof Error ? error.message : String(error);
  return text.failed(wallet.name, /[.!?]$/.test(reason) ? reason : `${reason}.`);
}

function shorten(address: string): string {
  return `${address.slice(0, 4)}…${address.slice(-4)}`;
}

const TONES = { warn: 'bg-warn-ground text-warn', bad: 'bg-bad-ground text-bad' } as const;

interface NoteProps {
  readonly tone: keyof typeof TONES;
  readonly isAlert?: boolean;
  readonly children: React.ReactNode;
}

function Note({ tone, isAlert = false, children }: NoteProps) {
  return (
    <p role={isAlert ? 'alert' : undefined} className={`w-full rounded-md px-3 py-2 ${TONES[tone]}`}>
      {children}
    </p>
  );
}
