import { encodeBase58 } from '../../../src/base58/base58.ts';
import { ApiError } from '../../shared/api/api-error.ts';
import { checkout } from '../../shared/text/checkout.ts';
import { connectOn, type SolanaWallet, signAndSend } from '../../shared/wallet/wallets.ts';
import { type Approved, CheckoutApi, type WalletCheck } from './checkout-api.ts';
import { forgetApproval, keepApproval, keptApproval } from './kept-approval.ts';
import { NotApproved, pollForAnswer } from './poll-for-answer.ts';

// 1. The customer chooses a wallet and connects it to the page.
// 2. The service says what the wallet pays and what it lacks. Missing funds are shown before the
//    wallet is opened, and are checked again until they have arrived.
// 3. The wallet asks its owner, signs and sends.
// 4. The service verifies the transaction and completes the checkout. A reloaded page continues
//    here; if the page is closed, the service still sees the transaction.

/** Interval of the checks whether missing money has arrived. */
const RECHECK_INTERVAL_MS = 4_000;
/** Interval of the requests for the status of the checkout. It grows while requests fail. */
const STATUS_INTERVAL_MS = 3_000;
const MAX_STATUS_INTERVAL_MS = 60_000;
/** Time that the success message is shown before the redirect. */
const SUCCESS_SHOWN_MS = 1_500;
/** The longest error message of a wallet that is shown. */
const MAX_REASON = 120;

const { working, problems } = checkout;

/** A wallet and its account, which pays. */
interface Chosen {
  readonly wallet: SolanaWallet;
  readonly account: SolanaWallet['accounts'][number];
}

export interface CheckoutState {
  /** No step follows `done`, except `other`, because the wallet of this page may subscribe too. */
  readonly step: 'choose' | 'review' | 'working' | 'done' | 'other';
  readonly problem: string | null;
  /** What the page waits for. */
  readonly working: { readonly title: string; readonly hint: string };
  readonly chosen: Chosen | null;
  /** What the wallet has and pays; null if that is not known. */
  readonly terms: WalletCheck['terms'];
  /** What the wallet lacks. */
  readonly missing: WalletCheck['missing'];
  /** Whether nothing prevents an approval. */
  readonly canApprove: boolean;
  /** Whether a wallet of another device has opened the checkout. */
  readonly isOpenedElsewhere: boolean;
  /** Where the page leads after its success; null if it stays here. */
  readonly redirectUrl: string | null;
}

const START: CheckoutState = {
  step: 'choose',
  problem: null,
  working: { title: '', hint: '' },
  chosen: null,
  terms: null,
  missing: null,
  canApprove: false,
  isOpenedElsewhere: false,
  redirectUrl: null,
};

/** The steps of one open checkout in this browser. */
export class CheckoutFlow {
  readonly #sessionId: string;
  readonly #chain: `solana:${string}`;
  readonly #api: CheckoutApi;
  readonly #listeners = new Set<() => void>();
  #state = START;
  /** Whether a transaction that completes the checkout was sent or may have been sent. */
  #isInFlight = false;
  #recheckTimer: ReturnType<typeof setTimeout> | undefined;
  #redirectTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(sessionId: string, chain: `solana:${string}`) {
    this.#sessionId = sessionId;
    this.#chain = chain;
    this.#api = new CheckoutApi(sessionId);
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly read = (): CheckoutState => this.#state;

  /** Continues an approval of before a reload, and follows the status of the checkout. */
  start(): void {
    setTimeout(() => this.#followStatus(STATUS_INTERVAL_MS), STATUS_INTERVAL_MS);
    const unfinished = keptApproval(this.#sessionId);
    if (unfinished === null) return;
    this.#confirm(unfinished).catch((error) => {
      this.#isInFlight = false;
      this.#show({ step: 'choose', problem: this.#messageOf(error) });
    });
  }

  async choose(wallet: SolanaWallet): Promise<void> {
    this.#wait(working.connect(wallet.name), working.connectHint);
    const account = await connectOn(wallet, this.#chain).catch(() => undefined);
    if (!account) return this.#show({ step: 'choose', problem: problems.notConnected(wallet.name) });
    this.#show({ chosen: { wallet, account }, terms: null, missing: null });
    await this.review();
  }

  chooseAnother(): void {
    this.#show({ step: 'choose', problem: null, chosen: null });
  }

  /** Shows the wallet, its balance, and any obstacle to an approval. */
  async review(): Promise<void> {
    const { chosen } = this.#state;
    if (!chosen) return;
    this.#wait(working.checking, working.moment);
    const checked = await this.#check(chosen);
    this.#show({ step: 'review', ...checked });
  }

  /** Asks the service for an obstacle, and again until it is removed or the customer continues. */
  async #check(chosen: Chosen): Promise<Partial<CheckoutState>> {
    clearTimeout(this.#recheckTimer);
    try {
      const { refusal, missing, terms } = await this.#api.check(chosen.account.address);
      if (refusal !== null) {
        this.#recheckTimer = setTimeout(() => void this.#checkAgain(chosen), RECHECK_INTERVAL_MS);
      }
      return { ...(terms && { terms }), missing, problem: refusal, canApprove: refusal === null };
    } catch (error) {
      return { missing: null, problem: this.#messageOf(error), canApprove: false };
    }
  }

  async #checkAgain(chosen: Chosen): Promise<void> {
    const checked = await this.#check(chosen);
    const { chosen: current, step } = this.#state;
    if (current?.account === chosen.account && step === 'review') this.#show(checked);
  }

  async approve(): Promise<void> {
    const { chosen } = this.#state;
    if (!chosen) return;
    try {
      await this.#confirm(await this.#signAndSendAll(chosen));
    } catch (error) {
      this.#isInFlight = false;
      this.#show({ step: 'review', problem: this.#messageOf(error) });
    }
  }

  /** Lets the wallet sign and send all transactions. */
  async #signAndSendAll({ wallet, account }: Chosen): Promise<Approved> {
    for (;;) {
      this.#wait(working.preparing, working.moment);
      const { subscriptionPda, transactions, more } = await this.#api.toSign(account.address);
      let signature = '';
      for (const transaction of transactions) {
        this.#wait(working.approve(wallet.name), working.approveHint);
        // From now on the transaction may have been sent, even if the wallet has not responded.
        this.#isInFlight = true;
        const sent = signAndSend(wallet, account, transaction, this.#chain);
        signature = await sent.then(encodeBase58, (cause: unknown) => {
          throw new NotApproved(problems.notApproved(wallet.name, reasonOf(cause)));
        });
      }
      if (!more) return { subscriptionPda, userWallet: account.address, signature };
      // The second of two approvals depends on the first, which must be on chain.
      this.#wait(working.confirming, working.firstDone);
      await pollForAnswer(async () => ((await this.#api.toSign(account.address)).more ? null : true));
    }
  }

  /** Waits until the service has seen the transaction. The status may show it first. */
  async #confirm(sent: Approved): Promise<void> {
    this.#isInFlight = true;
    keepApproval(this.#sessionId, sent);
    this.#wait(working.confirming, working.confirmingHint);
    try {
      const { redirectUrl } = await pollForAnswer(async () => {
        const reported = await this.#api.report(sent);
        return reported.status === 'completed' ? reported : null;
      }).finally(() => forgetApproval(this.#sessionId));
      this.#isInFlight = false;
      this.#succeed(redirectUrl);
    } catch (error) {
      if (!(await this.#isOfOtherWallet(error))) throw error;
      clearTimeout(this.#redirectTimer);
      this.#show({ step: 'other', problem: null });
    }
  }

  /** Whether the service refused this subscription because the checkout has another one. */
  async #isOfOtherWallet(error: unknown): Promise<boolean> {
    if (!(error instanceof ApiError) || error.param !== 'subscriptionPda') return false;
    return this.#api.readStatus().then(
      ({ status }) => status === 'completed',
      () => false,
    );
  }

  /** Polls the status, because an app or the service may complete the checkout. */
  async #followStatus(intervalMs: number): Promise<void> {
    if (this.#isOver()) return;
    let nextMs = STATUS_INTERVAL_MS;
    try {
      const { status, redirectUrl, walletConnected = false } = await this.#api.readStatus();
      if (status === 'completed') return this.#succeed(redirectUrl);
      // A wallet on a phone may have requested the transactions. The hint is hidden while a wallet
      // of this browser is in use.
      this.#show({ isOpenedElsewhere: walletConnected && this.#state.chosen === null });
      if (status === 'expired' && !this.#isInFlight) return location.reload();
    } catch (error) {
      if (error instanceof ApiError && error.code === 'not_found') return;
      // There is no network, or the service has an error.
      nextMs = Math.min(2 * intervalMs, MAX_STATUS_INTERVAL_MS);
    }
    setTimeout(() => this.#followStatus(nextMs), nextMs);
  }

  /**
   * Shows success, and leaves the page: to the merchant's URL, or to this one again, on which the
   * server then shows what was paid. It stays while a wallet is still asked here, which may subscribe
   * too.
   */
  #succeed(redirectUrl: string | null): void {
    this.#show({ step: 'done', problem: null, redirectUrl });
    if (this.#redirectTimer !== undefined) return;
    if (redirectUrl !== null) {
      this.#redirectTimer = setTimeout(() => location.replace(redirectUrl), SUCCESS_SHOWN_MS);
    } else if (!this.#isInFlight) location.reload();
  }

  #isOver(): boolean {
    return this.#state.step === 'done' || this.#state.step === 'other';
  }

  #wait(title: string, hint: string): void {
    this.#show({ step: 'working', problem: null, working: { title, hint } });
  }

  #show(change: Partial<CheckoutState>): void {
    const { step = this.#state.step } = change;
    const next = this.#isOver() && step !== 'other' ? this.#state.step : step;
    this.#state = { ...this.#state, ...change, step: next };
    for (const listener of this.#listeners) listener();
  }

  #messageOf(error: unknown): string {
    if (error instanceof NotApproved) return error.message;
    if (!(error instanceof ApiError) || error.code === 'unreachable') return problems.unreachable;
    if (error.code === 'session_expired') location.reload();
    return error.code === 'rate_limit_exceeded' ? problems.tooMany : error.message;
  }
}

/** The wallet's own error message, if it is short enough to show. */
function reasonOf(cause: unknown): string {
  const reason = cause instanceof Error ? cause.message.replace(/\.$/, '') : '';
  return reason === '' || reason.length > MAX_REASON ? '' : ` (${reason})`;
}
