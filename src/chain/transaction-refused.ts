import type { TransactionFailure } from './transaction-failure.ts';

/** Why the chain would not take a customer's transaction, as far as the customer should know. */
export type Refusal =
  | 'already_subscribed'
  | 'not_subscribed'
  | 'already_cancelled'
  | 'not_cancelled'
  | 'plan_not_available'
  /** The approval is not the one that was seen when the transaction was made: ask for a new one. */
  | 'authority_replaced'
  /** The approval that the subscription was made under is closed, and a new one does not bring it back. */
  | 'authority_closed'
  | 'token_account_frozen'
  | 'insufficient_sol'
  | 'other';

/** By the program's codes, and below 100 those of the programs that it or the transaction calls. */
const REFUSALS: Readonly<Record<number, Refusal>> = {
  1: 'insufficient_sol', // the system program: not enough lamports for the rent
  17: 'token_account_frozen', // the token program: a frozen account takes no approval
  103: 'authority_replaced', // no authority there
  136: 'authority_replaced',
  500: 'plan_not_available', // sunset
  501: 'plan_not_available', // ended
  502: 'plan_not_available', // no such plan
  517: 'already_subscribed',
  519: 'plan_not_available', // made again with other terms
};

/** Of the runtime itself: the fee payer has nothing, or not enough for fee or rent. */
const NO_SOL: ReadonlySet<string> = new Set([
  'AccountNotFound',
  'InsufficientFundsForFee',
  'InsufficientFundsForRent',
]);

/** The chain would refuse the transaction: nothing was made for the wallet to sign. */
export class TransactionRefused extends Error {
  override name = 'TransactionRefused';
  readonly refusal: Refusal;
  /** What the simulation said; `null` where the accounts told it already. */
  readonly failure: TransactionFailure | null;
  /** What the wallet would have to have, where that is known. */
  readonly lamportsNeeded: bigint | undefined;

  constructor(cause: TransactionFailure | Refusal, lamportsNeeded?: bigint) {
    const refusal = typeof cause === 'string' ? cause : refusalOf(cause);
    super(
      typeof cause === 'string'
        ? refusal
        : `${refusal} (${cause.name} ${cause.custom ?? ''} at ${cause.instruction})`,
    );
    this.refusal = refusal;
    this.failure = typeof cause === 'string' ? null : cause;
    this.lamportsNeeded = lamportsNeeded;
  }
}

export function refusalOf({ name, custom, instruction }: TransactionFailure): Refusal {
  if (custom !== null) return REFUSALS[custom] ?? 'other';
  // The plan is not the program's account: it does not exist.
  if (instruction !== null && name === 'InvalidAccountOwner') return 'plan_not_available';
  return NO_SOL.has(name) ? 'insufficient_sol' : 'other';
}
