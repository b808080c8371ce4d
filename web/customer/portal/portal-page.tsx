import { useCallback, useEffect, useState } from 'react';
import type { LinkAnswer, MerchantAnswer, SessionAnswer } from '../../../src/api/portal/answers.ts';
import { isSignedOut } from '../../shared/api/api-error.ts';
import { Button } from '../../shared/components/button.tsx';
import { portal as text } from '../../shared/text/portal.ts';
import { setBillingNow } from '../../shared/time/billing-now.ts';
import { askJson } from '../shared/ask-json.ts';
import { Frame, Problem, Title } from '../shared/frame.tsx';
import { useAnswer } from '../shared/use-answer.ts';
import { navigate, usePath } from '../shared/use-path.ts';
import { Loading } from './loading.tsx';
import { SignIn } from './sign-in.tsx';
import { SubscriptionList } from './subscription-list.tsx';
import { SubscriptionPage } from './subscription-page.tsx';
import { TaskPage } from './task-page.tsx';

/** The token of a link. It follows the `#` of the URL. */
function tokenOf(): string | undefined {
  const parts = new URLSearchParams(location.hash.slice(1));
  return parts.get('link') ?? parts.get('mail') ?? undefined;
}

/** The portal: the question of a link, the sign-in, then the pages of the portal session. */
export function PortalPage() {
  const [link, setLink] = useState(() => ({ token: tokenOf() }));
  const { token } = link;
  const [isEntering, setEntering] = useState(token !== undefined);
  const [question, setQuestion] = useState<LinkAnswer['question']>(null);
  const [problem, setProblem] = useState<string>();
  const enter = useCallback(
    async (confirmed: boolean) => {
      setEntering(true);
      setProblem(undefined);
      // The token works once, and must not stay in the history.
      history.replaceState(null, '', '/portal');
      await askJson<LinkAnswer>('/api/portal/link', { token, confirmed }).then(
        (answer) => setQuestion(answer.question),
        (error: Error) => {
          setQuestion(null);
          setProblem(error.message);
        },
      );
      setEntering(false);
    },
    [token],
  );
  useEffect(() => {
    if (link.token !== undefined) void enter(false);
  }, [link, enter]);
  useEffect(() => {
    // A link that is opened in a tab with the portal changes only the part after the `#`.
    const read = () => {
      if (tokenOf() !== undefined) setLink({ token: tokenOf() });
    };
    addEventListener('hashchange', read);
    return () => removeEventListener('hashchange', read);
  }, []);
  if (isEntering) return <Loading />;
  if (question) {
    return (
      <LinkQuestion question={question} onConfirm={() => void enter(true)} onKeep={() => setQuestion(null)} />
    );
  }
  return <Session problem={problem} onSignedIn={() => setProblem(undefined)} />;
}

interface LinkQuestionProps {
  readonly question: NonNullable<LinkAnswer['question']>;
  readonly onConfirm: () => void;
  /** The browser stays as it is. */
  readonly onKeep: () => void;
}

/** Asks before a link signs in: somebody else may have sent it. */
function LinkQuestion({
  question: { merchant, email, replacesSession },
  onConfirm,
  onKeep,
}: LinkQuestionProps) {
  return (
    <Frame company={merchant}>
      <Title hint={replacesSession ? text.link.replaces : text.link.hint}>
        {text.link.title(email, merchant.name)}
      </Title>
      <div className="flex flex-wrap gap-3">
        <Button kind="primary" className="min-h-11 px-6" onClick={onConfirm}>
          {text.link.confirm}
        </Button>
        <Button className="min-h-11" onClick={onKeep}>
          {replacesSession ? text.link.keep : text.link.decline}
        </Button>
      </div>
    </Frame>
  );
}

interface SessionProps {
  readonly problem: string | undefined;
  readonly onSignedIn: () => void;
}

function Session({ problem, onSignedIn }: SessionProps) {
  const { data, error, reload } = useAnswer<SessionAnswer>('/api/portal/session');
  const path = usePath();
  // After a sign-in with a wallet, the company is that of the subscription which is shown.
  const [shown, setShown] = useState<MerchantAnswer>();
  const onError = useCallback(
    (cause: Error) => {
      // The portal session has ended: after the reload, the sign-in is shown.
      if (isSignedOut(cause)) void reload();
    },
    [reload],
  );
  if (error) {
    return (
      <Frame>
        <Problem>{error.message}</Problem>
        <Button onClick={() => void reload()}>{text.retry}</Button>
      </Frame>
    );
  }
  if (!data) return <Loading />;
  setBillingNow(data.now);
  const { session, hasEmail } = data;
  if (!session) {
    const onDone = () => {
      onSignedIn();
      void reload();
    };
    return <SignIn hasEmail={hasEmail} problem={problem} onSignedIn={onDone} />;
  }
  const signOut = async () => {
    await askJson('/api/portal/sign-out', {});
    navigate('/portal');
    await reload();
  };
  const id = /^\/portal\/([^/]+)$/.exec(path)?.[1];
  return (
    <Frame
      company={session.merchant ?? (id === undefined ? null : shown)}
      actions={
        <>
          {session.returnUrl && (
            <a href={session.returnUrl} className="text-sm">
              {text.backTo(session.merchant?.name ?? new URL(session.returnUrl).host)}
            </a>
          )}
          <Button kind="plain" className="-mr-3" onClick={() => void signOut()}>
            {text.signOut}
          </Button>
        </>
      }
    >
      {session.flow !== 'ALL' ? (
        <TaskPage flow={session.flow} onError={onError} />
      ) : id ? (
        <SubscriptionPage key={id} id={id} onError={onError} onMerchant={setShown} />
      ) : (
        <SubscriptionList session={session} onError={onError} />
      )}
    </Frame>
  );
}
