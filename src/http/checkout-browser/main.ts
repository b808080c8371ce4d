import { toDecimal } from '../../decimal-amount.ts';
import { toBase58 } from './base58.ts';
import { type Approved, CheckoutApi, Refused, type ToSign } from './checkout-api.ts';
import { approval, followCheckout, succeed } from './follow.ts';
import { forgetApproval, keepApproval, keptApproval } from './kept-approval.ts';
import { addWallet, facts, part, shortened, showProblem, showStep, showWorking } from './page.ts';
import { approveIn, connectWallet, type Wallet, type WalletAccount, watchWallets } from './wallets.ts';

// 1. The customer chooses a wallet, and lets the page see its address.
// 2. The service says what the wallet has and what it is to sign; too little is said before anything is asked.
// 3. The wallet asks its owner, signs and sends.
// 4. The service looks for the transaction and completes the checkout. A page that is loaded again goes on here; one that
//    is closed loses nothing, for the service sees the transaction by itself.

const CONFIRMED_WITHIN_MS = 90_000;
const ASK_AGAIN_MS = 2_000;

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
  await review();
}

/** Shows the wallet, what is in it, and what is in the way of approving. */
async function review(): Promise<void> {
  if (!chosen) return;
  const { wallet, account } = chosen;
  showProblem(null);
  showWorking('Looking at your wallet', 'This takes a moment.');
  part('wallet-name').textContent = wallet.name;
  part('wallet-address').textContent = shortened(account.address);
  part('funds').hidden = true;
  part('advice').hidden = true;
  const problem = await api.toSign(account.address).then(inTheWay, wordsFor);
  part('approve').hidden = problem !== null;
  part('again').hidden = problem === null;
  showStep('review');
  showProblem(problem);
}

/** What keeps the wallet from paying the first time; null for nothing. */
function inTheWay({ balance }: ToSign): string | null {
  const has = inAsset(BigInt(balance.amount));
  part('funds').hidden = false;
  part('balance').textContent = has;
  if (facts.trial === 'no' && BigInt(balance.amount) < price) {
    return `This wallet has ${has}, and the first payment is ${inAsset(price)}. Add funds to it, then check again.`;
  }
  const advice = part('advice');
  advice.hidden = balance.sufficient;
  advice.textContent = `${inAsset(BigInt(balance.recommended))} is recommended, enough for three payments, so that the next ones go through.`;
  return null;
}

async function approve(): Promise<void> {
  if (!chosen) return;
  const { wallet, account } = chosen;
  showProblem(null);
  try {
    await confirm(await approved(wallet, account));
  } catch (error) {
    approval.isUnderWay = false;
    showStep('review');
    showProblem(wordsFor(error));
  }
}

/** All that there is to sign is signed and sent. */
async function approved(wallet: Wallet, account: WalletAccount): Promise<Approved> {
  for (;;) {
    showWorking('Preparing', 'This takes a moment.');
    const { subscriptionPda, transactions, more } = await api.toSign(account.address);
    let signature = '';
    for (const transaction of transactions) {
      showWorking(
        `Approve in ${wallet.name}`,
        'Your wallet shows what you approve, and the fee of the network.',
      );
      // From here on it may be out, before the wallet tells us so.
      approval.isUnderWay = true;
      signature = await approveIn(wallet, account, chain, transaction).then(toBase58, (cause) => {
        throw new NotApproved(
          `It was not approved in ${wallet.name}${reasonOf(cause)}. Nothing was charged.`,
        );
      });
    }
    if (!more) return { subscriptionPda, userWallet: account.address, signature };
    await prepared(account);
  }
}

/** The first of two approvals is on chain: only then it is known what the second one is. */
async function prepared(account: WalletAccount): Promise<void> {
  showWorking('Confirming', 'One of two approvals is done.');
  await askUntilThere(async () => ((await api.toSign(account.address)).more ? null : true));
}

/** Waits until the service has seen the transaction. What it says may also come by `followCheckout`. */
async function confirm(sent: Approved): Promise<void> {
  approval.isUnderWay = true;
  keepApproval(sent);
  showWorking('Confirming', 'Your approval is on its way through the network. This takes a few seconds.');
  const { redirectUrl } = await askUntilThere(() => api.complete(sent)).finally(forgetApproval);
  succeed(redirectUrl);
}

/** Asks until there is an answer that is not null, and again where it is refused for what may pass by itself. */
async function askUntilThere<T>(ask: () => Promise<T | null>): Promise<T> {
  const deadline = performance.now() + CONFIRMED_WITHIN_MS;
  for (;;) {
    const answer = await ask().catch((error) => {
      if (mayPass(error)) return null;
      throw error;
    });
    if (answer !== null) return answer;
    if (performance.now() > deadline) throw new NotApproved(NOT_CONFIRMED);
    await later(ASK_AGAIN_MS);
  }
}

/** No network, a signature that is not seen yet (also right after the end of the checkout), or trouble of the service. */
function mayPass(error: unknown): boolean {
  return !(error instanceof Refused) || error.param === 'signature' || PASSING.includes(error.code);
}

/** Refusals that say nothing about the approval. */
const PASSING = ['rate_limit_exceeded', 'internal_error'];

const NOT_CONFIRMED =
  'The network has not confirmed it. Where your wallet shows it as sent, wait a little; else try again.';

/** Said to people, who see no headers. */
const TOO_MANY = 'Too much was asked from here just now. Wait a minute, then try again.';

/** What a wallet says itself, where it is fit to be read. */
function reasonOf(cause: unknown): string {
  const words = cause instanceof Error ? cause.message.replace(/\.$/, '') : '';
  return words === '' || words.length > LONGEST_REASON ? '' : ` (${words})`;
}

const LONGEST_REASON = 120;

/** Its words are for the customer. */
class NotApproved extends Error {}

function wordsFor(error: unknown): string {
  if (error instanceof Refused && error.code === 'session_expired') location.reload();
  if (error instanceof Refused && error.code === 'rate_limit_exceeded') return TOO_MANY;
  if (error instanceof Refused || error instanceof NotApproved) return error.message;
  return 'The service cannot be reached just now. Try again.';
}

function inAsset(amount: bigint): string {
  return `${toDecimal(amount, Number(facts.decimals))} ${facts.asset}`;
}

function later(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

part('approve').addEventListener('click', approve);
part('again').addEventListener('click', review);
part('other').addEventListener('click', () => {
  showProblem(null);
  showStep('choose');
});
part('no-wallet').hidden = false;
watchWallets(chain, (wallet) => addWallet(wallet, () => choose(wallet)));
followCheckout(api);
const unfinished = keptApproval();
if (unfinished !== null) {
  confirm(unfinished).catch((error) => {
    approval.isUnderWay = false;
    showStep('choose');
    showProblem(wordsFor(error));
  });
}
