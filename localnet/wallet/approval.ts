import { type Account, createAccount } from './accounts.ts';
import { button, element, rejectButton, showDialog } from './dialog.ts';
import { addTestMoney, balanceText, readBalance } from './network.ts';

/** A request that a person must approve. */
export interface Approval {
  readonly title: string;
  readonly account: Account;
  /** The text of a message to sign. */
  readonly message?: string;
  /** The instructions of a transaction in words. */
  readonly instructions?: readonly string[];
}

let mustAsk = true;

/**
 * Asks the person to approve, unless they chose earlier to approve everything on this page.
 *
 * @throws Rejected
 */
export async function askApproval(approval: Approval, usdcMint: string): Promise<void> {
  if (!mustAsk) return;
  const { title, account, message, instructions } = approval;
  await showDialog<true>(title, (done) => {
    const approveAll = element('input', { type: 'checkbox' });
    const approve = () => {
      mustAsk = !approveAll.checked;
      done(true);
    };
    return [
      element('p', {}, element('strong', { textContent: account.name }), ' ', shortAddress(account)),
      balanceRow(account, usdcMint),
      ...(message === undefined ? [] : [element('pre', { tabIndex: 0, textContent: message })]),
      ...(instructions === undefined ? [] : [instructionList(instructions)]),
      element('label', {}, approveAll, 'Approve without asking for this page'),
      element(
        'div',
        { className: 'actions' },
        rejectButton(),
        button('Approve', approve, { className: 'main', autofocus: true }),
      ),
    ];
  });
}

/**
 * Asks which account a page may use. A new account gets test money.
 *
 * @param options.suggestsFirst highlights the first account instead of a new one
 * @throws Rejected
 */
export function askAccount(
  title: string,
  text: string,
  accounts: readonly Account[],
  usdcMint: string,
  { suggestsFirst = false }: { readonly suggestsFirst?: boolean } = {},
): Promise<Account> {
  return showDialog<Account>(title, (done) => {
    const isSuggested = (index: number) => suggestsFirst && index === 0;
    const choices = accounts.map((account, index) =>
      element(
        'li',
        {},
        button(`${account.name} ${shortened(account.address)}`, () => done(account), {
          className: isSuggested(index) ? 'account main' : 'account',
        }),
        balanceRow(account, usdcMint),
      ),
    );
    const create = async () => {
      const account = await createAccount();
      await addTestMoney(account.address, usdcMint);
      done(account);
    };
    return [
      element('p', { textContent: text }),
      element('ul', {}, ...choices),
      element(
        'div',
        { className: 'actions' },
        rejectButton(),
        button('New account with test money', create, {
          className: suggestsFirst && accounts.length > 0 ? '' : 'main',
        }),
      ),
    ];
  });
}

/** The balance of an account, with the button that adds to it. */
function balanceRow({ name, address }: Account, usdcMint: string): HTMLElement {
  const balance = element('span', { textContent: '…' });
  const show = async () => {
    balance.textContent = balanceText(await readBalance(address, usdcMint));
  };
  const add = async () => {
    await addTestMoney(address, usdcMint);
    await show();
  };
  void show().catch(() => {
    balance.textContent = 'The network does not report the balance.';
  });
  const label = `Get test money for ${name}`;
  return element('div', { className: 'money' }, balance, button('Get test money', add, { ariaLabel: label }));
}

function instructionList(instructions: readonly string[]): HTMLElement {
  return element('ul', {}, ...instructions.map((textContent) => element('li', { textContent })));
}

function shortAddress({ address }: Account): HTMLElement {
  return element('code', { textContent: shortened(address), title: address });
}

function shortened(address: string): string {
  return `${address.slice(0, 6)}…${address.slice(-4)}`;
}
