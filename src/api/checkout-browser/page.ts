import type { Wallet } from './wallets.ts';

/**
 * A step of the checkout. One is visible at a time; the server renders all
 * (pages/checkout-steps.ts).
 */
export type Step = 'choose' | 'review' | 'working' | 'done' | 'other';

/** The element with this `data-part`. @throws Error if the page has none */
export function part<T extends HTMLElement = HTMLElement>(name: string): T {
  const element = document.querySelector<T>(`[data-part="${name}"]`);
  if (!element) throw new Error(`The page has no element with data-part="${name}"`);
  return element;
}

/** The data of the checkout that the server rendered into the page. */
export const { dataset: facts } = part('checkout');

let isDone = false;

/**
 * Shows a step and moves the focus to it, so that screen readers announce it. No step follows
 * `done`, because the checkout may be completed elsewhere while a wallet is open here; except
 * `other`, because that wallet may then have subscribed too.
 */
export function showStep(step: Step): void {
  if (isDone && step !== 'other') return;
  isDone = step === 'done' || step === 'other';
  for (const element of document.querySelectorAll<HTMLElement>('[data-step]')) {
    element.hidden = element.dataset.step !== step;
  }
  document.querySelector<HTMLElement>(`[data-step="${step}"] h2`)?.focus({ preventScroll: true });
}

export function isShown(step: Step): boolean {
  return document.querySelector<HTMLElement>(`[data-step="${step}"]`)?.hidden === false;
}

/** Shows that the page is waiting, and for what. */
export function showWorking(title: string, text: string): void {
  part('working-title').textContent = title;
  part('working-words').textContent = text;
  if (!isShown('working')) showStep('working');
}

/**
 * Shows an error, which screen readers announce at once; null hides it. The same error is not
 * announced again.
 */
export function showProblem(message: string | null): void {
  const problem = part('problem');
  if (problem.textContent !== message) problem.textContent = message;
  problem.hidden = message === null || isDone;
}

/** Adds a wallet to the list. */
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

/** Shortens an address: `7xKXtg…9fQz`. */
export function shortened(address: string): string {
  return `${address.slice(0, 6)}…${address.slice(-4)}`;
}
