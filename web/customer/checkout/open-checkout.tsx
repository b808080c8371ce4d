import { useEffect, useLayoutEffect, useState, useSyncExternalStore } from 'react';
import type { OpenCheckoutData } from '../../../src/api/pages/page-data.ts';
import { trialText } from '../../../src/domain/catalog/money/duration-text.ts';
import { buttonClass, Spinner } from '../../shared/components/button.tsx';
import { checkout as text } from '../../shared/text/checkout.ts';
import { canSendOn, type SolanaWallet, useWallets } from '../../shared/wallet/wallets.ts';
import { TrialNote } from '../offer/offer.tsx';
import type { PageView } from '../shared/document.tsx';
import { Problem } from '../shared/frame.tsx';
import { WalletButton } from '../shared/wallet-button.tsx';
import { CheckoutCard, documentOf } from './checkout-card.tsx';
import { CheckoutFlow, type CheckoutState } from './checkout-flow.ts';
import { CodeField } from './code-field.tsx';
import { OtherDevices } from './other-devices.tsx';
import { Review } from './review.tsx';
import { StepTitle } from './step-title.tsx';
import { Terms } from './terms.tsx';
import { Tick } from './tick.tsx';

/** Time for wallets to register after the page has loaded. */
const WALLETS_WITHIN_MS = 500;

/**
 * An open checkout: the steps with a wallet in this browser, and links and QR codes for other devices,
 * which work without scripts.
 */
export const openCheckout: PageView<OpenCheckoutData> = {
  ...documentOf,
  reloadSecondsWithoutScript: () => 15,
  hasScript: () => true,
  Content: OpenCheckout,
};

function OpenCheckout(data: OpenCheckoutData) {
  const { sessionId, chain, company, cancelUrl } = data;
  const [flow] = useState(() => new CheckoutFlow(sessionId, chain));
  const state = useSyncExternalStore(flow.subscribe, flow.read);
  useEffect(() => flow.start(), [flow]);
  const { step, problem, terms } = state;
  const isOver = step === 'done' || step === 'other';
  return (
    <CheckoutCard
      data={data}
      trial={<Trial data={data} seconds={terms ? Number(terms.trialPeriodSeconds) : data.trialSeconds} />}
      nextPaymentAt={terms?.nextPaymentDate}
      facts={
        !isOver && (
          <>
            <dt>{text.timeLeft}</dt>
            <dd>
              <TimeLeft seconds={data.secondsLeft} expiresAt={data.expiresAt} />
            </dd>
          </>
        )
      }
      terms={!isOver && <Terms data={data} terms={terms} />}
      cancel={
        cancelUrl !== null &&
        !isOver && (
          <p className={step === 'working' ? 'invisible' : ''}>
            <a href={cancelUrl}>{text.cancel(company.name)}</a>
          </p>
        )
      }
    >
      {/* Rendered while it is hidden too: its message is announced when it changes. */}
      <div data-part="problem" hidden={problem === null || isOver} className="mb-4">
        <Problem>{problem}</Problem>
      </div>
      <Choose data={data} flow={flow} state={state} />
      <OtherStep data={data} flow={flow} state={state} />
    </CheckoutCard>
  );
}

interface StepProps {
  readonly data: OpenCheckoutData;
  readonly flow: CheckoutFlow;
  readonly state: CheckoutState;
}

/** The choice of a wallet. It stays in the page, because the server has drawn its QR codes. */
function Choose({ data, flow, state: { step, isOpenedElsewhere } }: StepProps) {
  const wallets = useChainWallets(data.chain);
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), WALLETS_WITHIN_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <section hidden={step !== 'choose'} className="grid min-h-48 content-start gap-4">
      <StepTitle isFirst isShown={step === 'choose'}>
        {text.choose.title}
      </StepTitle>
      {wallets && wallets.length > 0 && (
        <ul className="-mx-2 -my-1">
          {wallets.map((wallet) => (
            <li key={wallet.name}>
              <WalletButton wallet={wallet} onChoose={() => void flow.choose(wallet)} />
            </li>
          ))}
        </ul>
      )}
      {wallets?.length === 0 && <p className={noteClass}>{text.choose.noWallet}</p>}
      <noscript>
        <p className={noteClass}>{text.choose.noScript}</p>
      </noscript>
      <p role="status" hidden={!isOpenedElsewhere} className="rounded-md bg-warn-ground px-3 py-2 text-warn">
        {text.choose.asked}
      </p>
      <CodeField
        sessionId={data.sessionId}
        allowsCodes={data.allowsCodes}
        hasDiscount={data.offer.discount !== null}
      />
      <OtherDevices
        links={data.devices}
        hasWallet={wallets !== undefined && wallets.length > 0}
        isCodeOpen={isLate && wallets?.length === 0}
      />
    </section>
  );
}

const noteClass = 'rounded-md border border-dashed border-line px-3 py-2.5 text-soft';

/** The wallets that can approve on a chain; undefined on the server and until the page has its script. */
function useChainWallets(chain: string): readonly SolanaWallet[] | undefined {
  const wallets = useWallets();
  // The first rendering in the browser must be that of the server.
  const [isMounted, setMounted] = useState(false);
  useLayoutEffect(() => setMounted(true), []);
  return isMounted ? wallets.filter((wallet) => canSendOn(wallet, chain)) : undefined;
}

/** All steps but the choice of a wallet. */
function OtherStep({ data, flow, state }: StepProps) {
  const { step, working, redirectUrl } = state;
  if (step === 'review') return <Review data={data} flow={flow} state={state} />;
  if (step === 'working') {
    return (
      <section role="status" className="min-h-48 text-center">
        <p className="mt-2 mb-4 text-accent">
          <Spinner className="size-8" />
        </p>
        <StepTitle>{working.title}</StepTitle>
        <p className="mt-2 text-soft">{working.hint}</p>
      </section>
    );
  }
  if (step === 'done') {
    return (
      <section role="status" className="min-h-48 text-center">
        <Tick className="mx-auto mb-3 size-12" />
        <StepTitle>{text.done.title}</StepTitle>
        {redirectUrl !== null && <p className="mt-2 text-soft">{text.done.back(data.company.name)}</p>}
        <a
          href={redirectUrl ?? `/checkout/${data.sessionId}`}
          className={buttonClass('primary', 'mt-4 min-h-11 w-full')}
        >
          {text.done.continue}
        </a>
      </section>
    );
  }
  if (step === 'other') {
    return (
      <section role="status" className="min-h-48 text-center">
        <StepTitle>{text.otherWallet.title}</StepTitle>
        <p className="mt-2">{text.otherWallet.hint}</p>
        <a
          href="/portal"
          target="_blank"
          rel="noopener"
          className={buttonClass('primary', 'mt-4 min-h-11 w-full')}
        >
          {text.otherWallet.link}
        </a>
      </section>
    );
  }
  return null;
}

/**
 * The trial. Only after a wallet was chosen is it known whether that wallet had its trial.
 */
function Trial({ data, seconds }: { readonly data: OpenCheckoutData; readonly seconds: number }) {
  if (seconds > 0) return <TrialNote>{trialText(seconds)}</TrialNote>;
  return data.planTrialSeconds > 0 ? <p className="mt-3 text-soft">{text.noTrial}</p> : null;
}

/**
 * The remaining time. It is measured from the load of the page, never by the browser's clock, which
 * may be wrong. Without a script, the time of expiry is shown.
 */
function TimeLeft({ seconds, expiresAt }: { readonly seconds: number; readonly expiresAt: string }) {
  const [left, setLeft] = useState<number>();
  useEffect(() => {
    const end = performance.now() + 1_000 * seconds;
    const tick = () => setLeft(Math.max(0, Math.ceil((end - performance.now()) / 1_000)));
    tick();
    const timer = setInterval(tick, 1_000);
    return () => clearInterval(timer);
  }, [seconds]);
  return (
    <span role="timer">
      {left === undefined
        ? text.until(`${expiresAt.slice(11, 16)} UTC`)
        : `${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')}`}
    </span>
  );
}
