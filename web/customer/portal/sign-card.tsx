import { useEffect, useRef, useState } from 'react';
import type {
  ActionName,
  SubscriptionDetailAnswer,
  TransactionAnswer,
} from '../../../src/api/portal/answers.ts';
import { ApiError } from '../../shared/api/api-error.ts';
import { Button, Spinner } from '../../shared/components/button.tsx';
import { Card } from '../../shared/components/card.tsx';
import { portal } from '../../shared/text/portal.ts';
import {
  canSendOn,
  connectAccount,
  type SolanaWallet,
  signAndSend,
  useWallets,
  WrongAccount,
} from '../../shared/wallet/wallets.ts';
import { askJson } from '../shared/ask-json.ts';
import { Problem } from '../shared/frame.tsx';
import type { RouteAnswer } from '../shared/use-answer.ts';

const text = portal.sign;
const POLL_INTERVAL_MS = 1_500;
const LATE_AFTER_MS = 60_000;

type SignedAction = Extract<ActionName, 'cancel_on_chain' | 'resume' | 'repair_approval' | 'close'>;

interface SignCardProps {
  readonly subscription: SubscriptionDetailAnswer;
  readonly action: SignedAction;
  /** The effect of the signature. */
  readonly hint: string;
  readonly answer: RouteAnswer<SubscriptionDetailAnswer>;
  /** Called when the change is seen on chain. */
  readonly onDone: () => void;
}

/** A card with which the paying wallet makes one change of a subscription. */
export function SignCard({ subscription, action, hint, answer, onDone }: SignCardProps) {
  const { id, walletAddress, cluster, actions } = subscription;
  // Another page may have made the change.
  const isDone = !actions.includes(action);
  const onDoneRef = useRef(onDone);
  onDoneRef.current = onDone;
  useEffect(() => {
    if (isDone) onDoneRef.current();
  }, [isDone]);
  return (
    <Card title={portal.actions[action]} description={hint}>
      <SignWithWallet
        path={`/api/portal/subscriptions/${id}/transaction`}
        action={action === 'cancel_on_chain' ? 'cancel' : action}
        walletAddress={walletAddress}
        cluster={cluster}
        isDone={isDone}
        reload={answer.reload}
      />
    </Card>
  );
}

interface SignProps extends Pick<SubscriptionDetailAnswer, 'walletAddress' | 'cluster'> {
  /** The route that creates the transaction. */
  readonly path: string;
  readonly action: 'cancel' | 'resume' | 'repair_approval' | 'close';
  /** Whether the change is seen on chain. */
  readonly isDone: boolean;
  /** Asks whether it is. */
  readonly reload: () => Promise<void>;
}

type Progress =
  | { readonly kind: 'idle' }
  | { readonly kind: 'asking'; readonly wallet: SolanaWallet }
  | { readonly kind: 'sent'; readonly isLate: boolean }
  | { readonly kind: 'failed'; readonly message: string };

/** Asks the paying wallet to sign and send a change, and waits until the network shows it. */
export function SignWithWallet({ path, action, walletAddress, cluster, isDone, reload }: SignProps) {
  const [progress, setProgress] = useState<Progress>({ kind: 'idle' });
  const all = useWallets();
  useEffect(() => {
    if (progress.kind !== 'sent' || isDone) return;
    const poll = setInterval(() => void reload(), POLL_INTERVAL_MS);
    const late = setTimeout(() => setProgress({ kind: 'sent', isLate: true }), LATE_AFTER_MS);
    return () => {
      clearInterval(poll);
      clearTimeout(late);
    };
  }, [progress.kind, isDone, reload]);

  const sign = async (wallet: SolanaWallet, chain: `solana:${string}`) => {
    setProgress({ kind: 'asking', wallet });
    try {
      const account = await connectAccount(wallet, walletAddress);
      const { transaction } = await askJson<TransactionAnswer>(path, { action });
      await signAndSend(wallet, account, transaction, chain);
      setProgress({ kind: 'sent', isLate: false });
    } catch (error) {
      setProgress({ kind: 'failed', message: messageOf(wallet, walletAddress, error) });
    }
  };
  const wallets = cluster ? all.filter((wallet) => canSendOn(wallet, cluster.chain)) : [];
  return progress.kind === 'sent' ? (
    <p role="status" className="flex items-center gap-2">
      {progress.isLate ? (
        text.late
      ) : (
        <>
          <Spinner /> {text.sent}
        </>
      )}
    </p>
  ) : (
    <div className="grid justify-items-start gap-2">
      {wallets.length === 0 && <p>{cluster ? text.none : portal.wallet.unread}</p>}
      {cluster &&
        wallets.map((wallet) => (
          <Button
            key={wallet.name}
            kind="primary"
            className="min-h-11 px-4"
            busy={progress.kind === 'asking' && progress.wallet === wallet}
            disabled={progress.kind === 'asking' && progress.wallet !== wallet}
            onClick={() => void sign(wallet, cluster.chain)}
          >
            {text.with(wallet.name)}
          </Button>
        ))}
      <p role="status" className="text-soft empty:hidden">
        {progress.kind === 'asking' && text.waiting}
      </p>
      {progress.kind === 'failed' && <Problem>{progress.message}</Problem>}
    </div>
  );
}

function messageOf(wallet: SolanaWallet, address: string, error: unknown): string {
  if (error instanceof WrongAccount) return text.wrong(`${address.slice(0, 4)}…${address.slice(-4)}`);
  const reason = error instanceof Error ? error.message : String(error);
  return error instanceof ApiError ? reason : text.refused(wallet.name, reason);
}
