import { useCallback, useEffect, useState } from 'react';
import type { SessionAnswer } from '../../../src/api/portal/answers.ts';
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
function tokenOf(name: 'link' | 'mail'): string | undefined {
  return new URLSearchParams(location.hash.slice(1)).get(name) ?? undefined;
}

/** The portal: the sign-in, then the pages of the portal session. */
export function PortalPage() {
  const [mailed, setMailed] = useState(() => tokenOf('mail'));
  const [problem, setProblem] = useState<string>();
  // A merchant's link signs in at once, because the merchant's own page leads here. A link in a
  // mail needs a click, because programs that check mails open links too.
  const [link] = useState(() => tokenOf('link'));
  const [isEntering, setEntering] = useState(link !== undefined);
  const enter = useCallback(async (token: string) => {
    setEntering(true);
    // The token works once, and must not stay in the history.
    history.replaceState(null, '', '/portal');
    await askJson('/api/portal/link', { token }).catch((error: Error) => setProblem(error.message));
    setMailed(undefined);
    setEntering(false);
  }, []);
  useEffect(() => {
    if (link !== undefined) void enter(link);
  }, [link, enter]);
  if (isEntering) return <Loading />;
  if (mailed !== undefined) {
    return (
      <Frame>
        <Title hint={text.signIn.mailHint}>{text.signIn.mailTitle}</Title>
        <Button
          kind="primary"
          className="min-h-11 justify-self-start px-6"
          onClick={() => void enter(mailed)}
        >
          {text.signIn.open}
        </Button>
      </Frame>
    );
  }
  return <Session problem={problem} onSignedIn={() => setProblem(undefined)} />;
}

interface SessionProps {
  readonly problem: string | undefined;
  readonly onSignedIn: () => void;
}

function Session({ problem, onSignedIn }: SessionProps) {
  const { data, error, reload } = useAnswer<SessionAnswer>('/api/portal/session');
  const path = usePath();
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
      company={session.merchant}
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
        <SubscriptionPage key={id} id={id} onError={onError} />
      ) : (
        <SubscriptionList session={session} onError={onError} />
      )}
    </Frame>
  );
}
