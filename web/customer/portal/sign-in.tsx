import { useState } from 'react';
import type { SignInInputMutation } from '../../generated/graphql.ts';
import { ApiError } from '../../shared/api/api-error.ts';
import { Button } from '../../shared/components/button.tsx';
import { Card } from '../../shared/components/card.tsx';
import { Field } from '../../shared/components/field.tsx';
import { portal } from '../../shared/text/portal.ts';
import { signInWith } from '../../shared/wallet/sign-in.ts';
import { type SolanaWallet, useWallets } from '../../shared/wallet/wallets.ts';
import { askJson } from '../shared/ask-json.ts';
import { Frame, Problem, Title } from '../shared/frame.tsx';
import { WalletButton } from '../shared/wallet-button.tsx';

const text = portal.signIn;

interface SignInProps {
  readonly hasEmail: boolean;
  /** Why a link did not work. */
  readonly problem: string | undefined;
  readonly onSignedIn: () => void;
}

/** Signs in with a wallet of this browser, or with a link by email. */
export function SignIn({ hasEmail, problem, onSignedIn }: SignInProps) {
  return (
    <Frame>
      <Title hint={text.hint}>{text.title}</Title>
      {problem && <Problem>{problem}</Problem>}
      <WalletCard onSignedIn={onSignedIn} />
      {hasEmail && <EmailCard />}
    </Frame>
  );
}

type Fields = SignInInputMutation['signInInput'];

function WalletCard({ onSignedIn }: Pick<SignInProps, 'onSignedIn'>) {
  const wallets = useWallets();
  const [waiting, setWaiting] = useState<SolanaWallet>();
  const [problem, setProblem] = useState<string>();
  const signIn = async (wallet: SolanaWallet) => {
    setWaiting(wallet);
    setProblem(undefined);
    try {
      const signed = await signInWith(wallet, async (address) => {
        const fields = await askJson<Omit<Fields, 'address'>>('/api/portal/wallet/input', { address });
        return { address, ...fields };
      });
      await askJson('/api/portal/wallet', signed);
      onSignedIn();
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      setProblem(error instanceof ApiError ? reason : text.refused(wallet.name, reason));
    } finally {
      setWaiting(undefined);
    }
  };
  if (wallets.length === 0) {
    return (
      <Card title={text.none} description={text.noneHint}>
        <Button onClick={() => location.reload()}>{text.reload}</Button>
      </Card>
    );
  }
  return (
    <Card title={text.wallets}>
      <ul className="-mx-2">
        {wallets.map((wallet) => (
          <li key={wallet.name}>
            <WalletButton
              wallet={wallet}
              isBusy={waiting === wallet}
              isDisabled={waiting !== undefined}
              onChoose={() => void signIn(wallet)}
            />
          </li>
        ))}
      </ul>
      <p role="status" className="text-soft empty:hidden">
        {waiting && text.waiting}
      </p>
      {problem && <Problem>{problem}</Problem>}
    </Card>
  );
}

function EmailCard() {
  const [email, setEmail] = useState('');
  const [sentTo, setSentTo] = useState<string>();
  const [isSending, setSending] = useState(false);
  const [problem, setProblem] = useState<string>();
  const send = async (event: React.FormEvent) => {
    event.preventDefault();
    setSending(true);
    setProblem(undefined);
    await askJson('/api/portal/email', { email }).then(
      () => setSentTo(email),
      (error: Error) => setProblem(error.message),
    );
    setSending(false);
  };
  if (sentTo !== undefined) {
    return (
      <Card title={text.sent}>
        <p role="status">{text.sentHint(sentTo)}</p>
      </Card>
    );
  }
  return (
    <Card title={text.email}>
      <form onSubmit={(event) => void send(event)} className="grid gap-3" noValidate>
        <Field label={text.emailLabel} hint={text.emailHint} error={problem}>
          {(control) => (
            <input
              {...control}
              type="email"
              autoComplete="email"
              value={email}
              onInput={(event) => setEmail(event.currentTarget.value)}
              className={`${control.className} min-h-11`}
            />
          )}
        </Field>
        <Button type="submit" busy={isSending} className="min-h-11 justify-self-start px-6">
          {text.send}
        </Button>
      </form>
    </Card>
  );
}
