import { type Account, connectedAddress, readAccounts, storeConnected } from './accounts.ts';
import { askAccount, askApproval } from './approval.ts';
import { instructionTexts } from './instruction-texts.ts';
import { send } from './network.ts';
import { signInMessage } from './sign-in-message.ts';
import { readTransaction, type Transaction } from './transaction.ts';
import type {
  Bytes,
  SignInInput,
  SignMessageInput,
  SignTransactionInput,
  WalletAccount,
} from './wallet-standard.ts';

const NAME = 'dues local wallet';
/** Pages use either name for the cluster of the test environment. */
const CHAINS = ['solana:devnet', 'solana:localnet'];
const ICON = `data:image/svg+xml;base64,${btoa('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#b45309"/><path d="M8 11h16v12H8z" fill="none" stroke="#fff" stroke-width="2"/><circle cx="20" cy="17" r="2" fill="#fff"/></svg>')}`;
const TRANSACTION_VERSIONS = ['legacy', 0];

type Change = (changed: { readonly accounts: readonly WalletAccount[] }) => void;

/**
 * The wallet in the form of the Wallet Standard. The person approves each signature, or all of them
 * on a page.
 */
export class LocalWallet {
  readonly version = '1.0.0';
  readonly name = NAME;
  readonly icon = ICON;
  readonly chains = CHAINS;
  readonly features = {
    'standard:connect': {
      version: '1.0.0',
      connect: (input?: { readonly silent?: boolean }) => this.#connect(input?.silent === true),
    },
    'standard:disconnect': { version: '1.0.0', disconnect: async () => this.#connectTo(undefined) },
    'standard:events': {
      version: '1.0.0',
      on: (_event: 'change', listener: Change) => {
        this.#listeners.add(listener);
        return () => this.#listeners.delete(listener);
      },
    },
    'solana:signIn': {
      version: '1.0.0',
      signIn: (...inputs: readonly SignInInput[]) =>
        answerInOrder(inputs.length > 0 ? inputs : [{}], (input) => this.#signIn(input)),
    },
    'solana:signMessage': {
      version: '1.1.0',
      signMessage: (...inputs: readonly SignMessageInput[]) =>
        answerInOrder(inputs, (input) => this.#signMessage(input)),
    },
    'solana:signTransaction': {
      version: '1.0.0',
      supportedTransactionVersions: TRANSACTION_VERSIONS,
      signTransaction: (...inputs: readonly SignTransactionInput[]) =>
        answerInOrder(inputs, async (input) => ({
          signedTransaction: (await this.#sign(input, false)).signed,
        })),
    },
    'solana:signAndSendTransaction': {
      version: '1.0.0',
      supportedTransactionVersions: TRANSACTION_VERSIONS,
      signAndSendTransaction: (...inputs: readonly SignTransactionInput[]) =>
        answerInOrder(inputs, async (input) => {
          const { signed, signature } = await this.#sign(input, true);
          await send(signed, input.options);
          return { signature };
        }),
    },
  };
  readonly #networkAccounts: readonly Account[];
  readonly #usdcMint: string;
  readonly #listeners = new Set<Change>();
  #connected: readonly WalletAccount[] = [];

  /** @param networkAccounts accounts of the network, besides those of this browser */
  constructor(networkAccounts: readonly Account[], usdcMint: string) {
    this.#networkAccounts = networkAccounts;
    this.#usdcMint = usdcMint;
  }

  get accounts(): readonly WalletAccount[] {
    return this.#connected;
  }

  async #connect(isSilent: boolean): Promise<{ accounts: readonly WalletAccount[] }> {
    const accounts = await this.#readAllAccounts();
    if (isSilent) {
      const previous = accounts.find(({ address }) => address === connectedAddress());
      if (previous) this.#connectTo(previous);
    } else {
      this.#connectTo(
        await askAccount(
          'Connect a wallet',
          `${location.host} may see the address of the account that you choose.`,
          accounts,
          this.#usdcMint,
        ),
      );
    }
    return { accounts: this.#connected };
  }

  async #signIn(input: SignInInput) {
    const account = input.address ? await this.#accountOf(input.address) : await this.#chooseFor(input);
    const message = signInMessage(input, account.address);
    if (input.address) {
      await askApproval({ title: `Sign in to ${location.host}`, account, message }, this.#usdcMint);
    }
    this.#connectTo(account);
    const [connected] = this.#connected;
    return { account: connected, ...(await signedText(account, message)) };
  }

  /** Choosing the account approves the message, which names it. */
  #chooseFor(input: SignInInput): Promise<Account> {
    return this.#readAllAccounts().then((accounts) =>
      askAccount(
        `Sign in to ${location.host}`,
        `The account that you choose signs in. ${input.statement ?? ''}`,
        accounts,
        this.#usdcMint,
        { suggestsFirst: true },
      ),
    );
  }

  async #signMessage({ account: { address }, message }: SignMessageInput) {
    const account = await this.#accountOf(address);
    const text = new TextDecoder().decode(message);
    await askApproval({ title: 'Sign a message', account, message: text }, this.#usdcMint);
    return { signedMessage: message, signature: await account.sign(message) };
  }

  async #sign(
    { account: { address }, transaction: wire, chain }: SignTransactionInput,
    isSent: boolean,
  ): Promise<{ signed: Bytes; signature: Bytes }> {
    if (chain !== undefined && !CHAINS.includes(chain)) throw new Error(`${NAME} does not work on ${chain}.`);
    const account = await this.#accountOf(address);
    const transaction: Transaction = readTransaction(wire);
    const title = isSent ? 'Sign and send a transaction' : 'Sign a transaction';
    const instructions = instructionTexts(transaction.instructions, this.#usdcMint);
    await askApproval({ title, account, instructions }, this.#usdcMint);
    const signature = await account.sign(transaction.message);
    return { signed: transaction.withSignature(address, signature), signature };
  }

  async #readAllAccounts(): Promise<Account[]> {
    return [...this.#networkAccounts, ...(await readAccounts())];
  }

  async #accountOf(address: string): Promise<Account> {
    const account = (await this.#readAllAccounts()).find((candidate) => candidate.address === address);
    if (!account) throw new Error(`${NAME} has no account ${address}.`);
    return account;
  }

  #connectTo(account: Account | undefined): void {
    storeConnected(account?.address);
    this.#connected = account ? [standardAccount(account)] : [];
    for (const listener of this.#listeners) listener({ accounts: this.#connected });
  }
}

function standardAccount({ name, address, publicKey }: Account): WalletAccount {
  const features = [
    'solana:signIn',
    'solana:signMessage',
    'solana:signTransaction',
    'solana:signAndSendTransaction',
  ];
  return { address, publicKey, chains: CHAINS, features, label: name };
}

async function signedText(account: Account, text: string) {
  const signedMessage = new TextEncoder().encode(text);
  return { signedMessage, signature: await account.sign(signedMessage) };
}

/** Answers the inputs in order, so that one request is shown at a time. */
async function answerInOrder<Input, Output>(
  inputs: readonly Input[],
  answer: (input: Input) => Promise<Output>,
): Promise<Output[]> {
  const outputs: Output[] = [];
  for (const input of inputs) outputs.push(await answer(input));
  return outputs;
}
