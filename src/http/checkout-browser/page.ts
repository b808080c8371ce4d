import type { Wallet } from './wallets.ts';

/** One of the steps is shown; the server has written all of them into the page (pages/checkout-steps.ts). */
export type Step = 'choose' | 'review' | 'working' | 'done';

export function part<T extends HTMLElement = HTMLElement>(name: string): T {
  const element = document.querySelector<T>(`[data-part="${name}"]`);
  if (!element) throw new Error(`The page has no ${name}`);
  return element;
}

/** What the server knew of the checkout when it wrote the page. */
export const { dataset: facts } = part('checkout');

let isDone = false;

/**
 * Shows a step and, where the customer is led there, puts the focus on it, so that it is read out. Done is the last one: a
 * checkout may be completed elsewhere while a wallet is asked here, whose answer changes nothing any more.
 */
export function showStep(step: Step): void {
  if (isDone) return;
  isDone = step === 'done';
  for (const each of document.querySelectorAll<HTMLElement>('[data-step]')) {
    each.hidden = each.dataset.step !== step;
  }
  document.querySelector<HTMLElement>(`[data-step="${step}"] h2`)?.focus({ preventScroll: true });
}

/** Says what is under way; the page is not to be closed. */
export function showWorking(title: string, words: string): void {
  part('working-title').textContent = title;
  part('working-words').textContent = words;
  if (document.querySelector<HTMLElement>('[data-step="working"]')?.hidden) showStep('working');
}

/** What went wrong, read out at once; null for nothing. */
export function showProblem(words: string | null): void {
  const problem = part('problem');
  problem.textContent = words ?? '';
  problem.hidden = words === null || isDone;
}

/** Adds a wallet to choose from. */
export function addWallet(wallet: Wallet, choose: () => void): void {
  part('no-wallet').hidden = true;
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'wallet';
  if (wallet.icon.startsWith('data:image/')) {
    const icon = document.createElement('img');
    icon.src = wallet.icon;
    icon.alt = '';
    button.append(icon);
  }
  button.append(wallet.name);
  button.addEventListener('click', choose);
  const item = document.createElement('li');
  item.append(button);
  part('wallets').append(item);
}

/** `7xKXtg…9fQz`: as people recognise an address. */
export function shortened(address: string): string {
  return `${address.slice(0, 6)}…${address.slice(-4)}`;
}
