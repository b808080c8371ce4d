import type { TransactionFailure } from '../rpc/transaction-failure.ts';

/** Why the chain would refuse a wallet's transaction, in the detail that its owner needs. */
export type Refusal =
  | 'already_subscribed'
  | 'not_subscribed'
  | 'already_cancelled'
  | 'not_cancelled'
  /** The cancellation has not taken effect yet. */
  | 'not_over'
  | 'plan_not_available'
  /** The approval changed since the transaction was created: request a new one. */
  | 'authority_replaced'
  /** The subscription's authority was closed; a new approval does not restore the subscription. */
  | 'authority_closed'
  | 'token_account_frozen'
  /** The wallet's token account refuses approvals that a program gives. */
  | 'cpi_guard'
  | 'insufficient_sol'
  /** Too few tokens for a refund. */
  | 'insufficient_tokens'
  | 'other';

/**
 * Refusals by error code. Codes below 100 come from other programs, which the transaction or the
 * program calls.
 */
const REFUSALS: Readonly<Record<number, Refusal>> = {
  1: 'insufficient_sol', // the system program: not enough lamports for the rent
  17: 'token_account_frozen', // the token program: a frozen account cannot be approved
  45: 'cpi_guard', // Token-2022: CpiGuardApproveBlocked
  103: 'authority_replaced', // no authority at the address
  136: 'authority_replaced',
  500: 'plan_not_available', // sunset
  501: 'plan_not_available', // ended
  502: 'plan_not_available', // no such plan
  517: 'already_subscribed',
  519: 'plan_not_available', // created again with other terms
};

/** Runtime errors: the fee payer has too little SOL for the fee or the rent. */
const MISSING_SOL_ERRORS: ReadonlySet<string> = new Set([
  'AccountNotFound',
  'InsufficientFundsForFee',
  'InsufficientFundsForRent',
]);

/** The chain would refuse the transaction, so none was created. */
export class TransactionRefused extends Error {
  override name = 'TransactionRefused';
  readonly refusal: Refusal;
  /** The failure of the simulation; `null` if the accounts already showed the reason. */
  readonly failure: TransactionFailure | null;
  /** Lamports that the wallet needs, if known. */
  readonly lamportsNeeded: bigint | undefined;

  constructor(cause: TransactionFailure | Refusal, lamportsNeeded?: bigint) {
    const refusal = typeof cause === 'string' ? cause : refusalOfFailure(cause);
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

export function refusalOfFailure({ name, custom, instruction }: TransactionFailure): Refusal {
  if (custom !== null) return REFUSALS[custom] ?? 'other';
  // The plan account is not owned by the program, so the plan does not exist.
  if (instruction !== null && name === 'InvalidAccountOwner') return 'plan_not_available';
  return MISSING_SOL_ERRORS.has(name) ? 'insufficient_sol' : 'other';
}
