import { toDecimal } from '../../domain/catalog/money/decimal-amount.ts';
import { trialText } from '../../domain/catalog/money/duration-text.ts';
import { toBase58 } from './base58.ts';
import { type Approved, CheckoutApi, Refused, type WalletCheck, type WalletTerms } from './checkout-api.ts';
import { approval, followCheckout, offerToClose, succeed, walletOfPage } from './follow.ts';
import { forgetApproval, keepApproval, keptApproval } from './kept-approval.ts';
import { addWallet, facts, isShown, part, shortened, showProblem, showStep, showWorking } from './page.ts';
import { approveIn, connectWallet, type Wallet, type WalletAccount, watchWallets } from './wallets.ts';

// 1. The customer chooses a wallet and connects it to the page.
// 2. The service says what the wallet pays and what it lacks. Missing funds are shown before the
//    wallet is opened, and are checked again until they have arrived.
// 3. The wallet asks its owner, signs and sends.
// 4. The service verifies the transaction and completes the checkout. A reloaded page continues
//    here; if the page is closed, the service still sees the transaction.

const CONFIRMED_TIMEOUT_MS = 90_000;
const RETRY_INTERVAL_MS = 2_000;
/** Interval of the checks whether missing money has arrived. */
const POLL_INTERVAL_MS = 4_000;
const SOL_DECIMALS = 9;
/** Time for wallets to register after the page has loaded. */
const WALLETS_WITHIN_MS = 500;

const chain = facts.chain ?? '';
const price = BigInt(facts.amount ?? 0);
const api = new CheckoutApi(facts.session ?? '');

let chosen: { readonly wallet: Wallet; readonly account: WalletAccount } | undefined;

async function choose(wallet: Wallet): Promise<void> {
  showProblem(null);
  showWorking(`Connect ${wallet.name}`, 'Your wallet asks whether this page may see its address.');
  const account = await connectWallet(wallet, chain).catch(() => undefined);
  if (!account) {
    showStep('choose');
    return showProblem(`${wallet.name} was not connected.`);
  }
  chosen = { wallet, account };
  walletOfPage.isChosen = true;
  await review();
}

/** Shows the wallet, its balance, and any obstacle to an approval. */
async function review(): Promise<void> {
  if (!chosen) return;
  const { wallet, account } = chosen;
  showProblem(null);
  showWorking('Checking your wallet', 'This takes a moment.');
  part('wallet-name').textContent = wallet.name;
  part('wallet-address').textContent = shortened(account.address);
  for (const name of ['funds', 'now', 'next', 'network', 'deposit', 'advice']) part(name).hidden = true;
  const obstacle = await findObstacle(account);
  showStep('review');
  showObstacle(obstacle, account);
}

/** A fact that prevents an approval. */
interface Obstacle {
  readonly message: string;
  readonly missing: WalletCheck['missing'];
  /** Whether the customer can remove it outside this page, for example by a top-up. */
  readonly canPass: boolean;
}

/** Asks the service for an obstacle to the approval, and shows the costs; null if there is none. */
async function findObstacle(account: WalletAccount): Promise<Obstacle | null> {
  try {
    const { refusal, missing, terms } = await api.check(account.address);
    if (terms) showTerms(terms, refusal === null);
    return refusal === null ? null : { message: refusal, missing, canPass: true };
  } catch (error) {
    return { message: messageFor(error), missing: null, canPass: false };
  }
}

let recheckTimer: ReturnType<typeof setTimeout> | undefined;

/**
 * Shows the obstacle to an approval, and checks again until it is removed or the customer
 * continues.
 */
function showObstacle(obstacle: Obstacle | null, account: WalletAccount): void {
  part('approve').hidden = obstacle !== null;
  part('again').hidden = obstacle === null;
  showProblem(obstacle?.message ?? null);
  showTopUp(obstacle?.missing ?? null, account);
  clearTimeout(recheckTimer);
  if (!obstacle?.canPass) return;
  recheckTimer = setTimeout(async () => {
    const next = await findObstacle(account);
    if (chosen?.account === account && isShown('review')) showObstacle(next, account);
  }, POLL_INTERVAL_MS);
}

/** Shows everything that is missing, with QR codes with which another wallet can send it. */
function showTopUp(missing: WalletCheck['missing'], account: WalletAccount): void {
  part('top-up').hidden = missing === null;
  if (!missing) return;
  const { amount, lamports } = missing;
  const sol = lamports === null ? 'SOL' : lamports === '0' ? '' : inSol(lamports);
  const tokens = amount === '0' ? '' : inAsset(BigInt(amount));
  showCode('top-up-sol', sol, account.address, '');
  showCode('top-up-tokens', tokens, account.address, `&amount=${amount}`);
  part('top-up-words').textContent =
    `Send ${[sol, tokens].filter(Boolean).join(' and ')} to this wallet. The page continues when it has arrived.`;
  part('top-up-address').textContent = account.address;
}

/** Shows the QR code of a transfer to the wallet. Without a text there is nothing to send. */
function showCode(name: string, text: string, wallet: string, query: string): void {
  part(name).hidden = text === '';
  if (text === '') return;
  const code = part<HTMLImageElement>(`${name}-code`);
  const source = `${location.pathname}/top-up.svg?wallet=${wallet}${query}`;
  if (code.getAttribute('src') !== source) code.setAttribute('src', source);
  code.alt = `QR code to send ${text} to this wallet`;
  part(`${name}-text`).textContent = text;
}

/**
 * Copies the address. Browsers refuse the clipboard to some pages, so the address is always shown
 * too.
 */
async function copyAddress(): Promise<void> {
  const { address } = chosen?.account ?? {};
  if (address === undefined) return;
  const isCopied = await navigator.clipboard.writeText(address).then(
    () => true,
    () => false,
  );
  part('copy').textContent = isCopied ? 'Copied' : 'Select the address to copy it';
}

/** Shows what the wallet has and pays. The advice is shown only to a wallet that can subscribe. */
function showTerms(terms: WalletTerms, canSubscribe: boolean): void {
  const { balance, costs, sponsored, trialPeriodSeconds } = terms;
  const hasTrial = trialPeriodSeconds !== '0';
  part('trial').hidden = !hasTrial;
  part('trial').textContent = trialText(Number(trialPeriodSeconds));
  part('no-trial').hidden = hasTrial || facts.planTrial === 'no';
  showRow('funds', 'balance', inAsset(BigInt(balance.amount)));
  showPayments(BigInt(terms.dueNow), terms.nextPaymentDate);
  showRow('network', 'network-fee', sponsored ? 'paid for you' : inSol(costs.fee));
  if (costs.deposits !== '0') showRow('deposit', 'deposits', inSol(costs.deposits));
  const advice = part('advice');
  advice.hidden = balance.sufficient || !canSubscribe;
  advice.textContent = `${inAsset(BigInt(balance.recommended))} is recommended: it covers three payments.`;
}

/** Shows what is collected now, and what is collected next. */
function showPayments(dueNow: bigint, nextPaymentDate: string): void {
  const nextDate = `${MINUTE.format(new Date(nextPaymentDate))} (UTC)`;
  const next = `${inAsset(price)} on ${nextDate}`;
  showRow('now', 'due-now', dueNow === 0n ? 'nothing' : inAsset(dueNow));
  showRow('next', 'next-payment', nextDate);
  part('first-charge').textContent =
    dueNow === 0n
      ? `Nothing is collected now. The next payment is ${next}.`
      : `The first payment, ${inAsset(dueNow)}, is collected when you have approved. The next one is ${next}.`;
}

const MINUTE = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });

/** Shows a row with its value. */
function showRow(row: string, value: string, text: string): void {
  part(row).hidden = false;
  part(value).textContent = text;
}

async function approve(): Promise<void> {
  if (!chosen) return;
  const { wallet, account } = chosen;
  showProblem(null);
  try {
    await confirm(await signAndSendAll(wallet, account));
  } catch (error) {
    approval.isInFlight = false;
    showStep('review');
    showProblem(messageFor(error));
  }
}

/** Lets the wallet sign and send all transactions. */
async function signAndSendAll(wallet: Wallet, account: WalletAccount): Promise<Approved> {
  for (;;) {
    showWorking('Preparing', 'This takes a moment.');
    const { subscriptionPda, transactions, more } = await api.toSign(account.address);
    let signature = '';
    for (const transaction of transactions) {
      showWorking(`Approve in ${wallet.name}`, 'Your wallet shows what you approve and the network fee.');
      // From now on the transaction may have been sent, even if the wallet has not responded.
      approval.isInFlight = true;
      signature = await approveIn(wallet, account, chain, transaction).then(toBase58, (cause) => {
        throw new NotApproved(
          `You did not approve it in ${wallet.name}${reasonOf(cause)}. You were not charged.`,
        );
      });
    }
    if (!more) return { subscriptionPda, userWallet: account.address, signature };
    await waitForFirstApproval(account);
  }
}

/** Waits until the first of two approvals is on chain, because the second one depends on it. */
async function waitForFirstApproval(account: WalletAccount): Promise<void> {
  showWorking('Confirming', 'The first of two approvals is done.');
  await pollForAnswer(async () => ((await api.toSign(account.address)).more ? null : true));
}

/** Waits until the service has seen the transaction. `followCheckout` may find out first. */
async function confirm(sent: Approved): Promise<void> {
  approval.isInFlight = true;
  keepApproval(sent);
  showWorking('Confirming', 'The network is confirming your approval. This takes a few seconds.');
  try {
    const { redirectUrl } = await pollForAnswer(async () => {
      const reported = await api.report(sent);
      return reported.status === 'completed' ? reported : null;
    }).finally(forgetApproval);
    approval.isInFlight = false;
    succeed(redirectUrl);
  } catch (error) {
    if (!(await isOfOtherWallet(error))) throw error;
    offerToClose();
  }
}

/** Whether the service refused this subscription because the checkout has another one. */
async function isOfOtherWallet(error: unknown): Promise<boolean> {
  if (!(error instanceof Refused) || error.param !== 'subscriptionPda') return false;
  return api.readStatus().then(
    ({ status }) => status === 'completed',
    () => false,
  );
}

/** Calls `ask` until it returns a value, and retries errors that may be temporary. */
async function pollForAnswer<T>(ask: () => Promise<T | null>): Promise<T> {
  const deadline = performance.now() + CONFIRMED_TIMEOUT_MS;
  for (;;) {
    const answer = await ask().catch((error) => {
      if (isTemporary(error)) return null;
      throw error;
    });
    if (answer !== null) return answer;
    if (performance.now() > deadline) throw new NotApproved(NOT_CONFIRMED);
    await wait(RETRY_INTERVAL_MS);
  }
}

/** Whether an error is temporary: no network, or an error that does not concern the approval. */
function isTemporary(error: unknown): boolean {
  return !(error instanceof Refused) || TEMPORARY_CODES.includes(error.code);
}

const TEMPORARY_CODES = ['rate_limit_exceeded', 'internal_error'];

const NOT_CONFIRMED =
  'The network has not confirmed your approval. If your wallet shows it as sent, wait a moment; otherwise try again.';

/** Message for a rate limit. The customer does not see the Retry-After header. */
const TOO_MANY = 'Too many requests from your network. Wait a minute, then try again.';

/** The wallet's own error message, if it is short enough to show. */
function reasonOf(cause: unknown): string {
  const reason = cause instanceof Error ? cause.message.replace(/\.$/, '') : '';
  return reason === '' || reason.length > MAX_REASON ? '' : ` (${reason})`;
}

const MAX_REASON = 120;

/** An error whose message is shown to the customer. */
class NotApproved extends Error {}

function messageFor(error: unknown): string {
  if (error instanceof Refused && error.code === 'session_expired') location.reload();
  if (error instanceof Refused && error.code === 'rate_limit_exceeded') return TOO_MANY;
  if (error instanceof Refused || error instanceof NotApproved) return error.message;
  return 'The service cannot be reached. Try again.';
}

function inAsset(amount: bigint): string {
  return `${toDecimal(amount, Number(facts.decimals))} ${facts.asset}`;
}

function inSol(lamports: string): string {
  return `${toDecimal(BigInt(lamports), SOL_DECIMALS)} SOL`;
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

part('approve').addEventListener('click', approve);
part('again').addEventListener('click', review);
part('copy').addEventListener('click', copyAddress);
part('other').addEventListener('click', () => {
  chosen = undefined;
  walletOfPage.isChosen = false;
  showProblem(null);
  showStep('choose');
});
part('no-wallet').hidden = false;
watchWallets(chain, (wallet) => addWallet(wallet, () => choose(wallet)));
// Without a wallet in this browser, the QR code for a phone is shown open.
setTimeout(() => {
  if (!part('no-wallet').hidden) document.querySelector('[data-part="scan"]')?.setAttribute('open', '');
}, WALLETS_WITHIN_MS);
followCheckout(api);
const unfinished = keptApproval();
if (unfinished !== null) {
  confirm(unfinished).catch((error) => {
    approval.isInFlight = false;
    showStep('choose');
    showProblem(messageFor(error));
  });
}
