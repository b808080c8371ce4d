/** The base fee of a transaction with one signature, which the collector pays. */
export const FEE_LAMPORTS = 5_000n;
/** The base fee of a transaction with two signatures: the fee payer's and the collector's. */
export const FEE_PAYER_LAMPORTS = 2n * FEE_LAMPORTS;
/** The rent of a token account, before rents were lowered. */
export const TOKEN_ACCOUNT_LAMPORTS = 2_039_280n;
/**
 * The minimum balance of an account without data, before rents were lowered. A fee cannot reduce
 * the balance of its payer below this amount.
 */
export const RESERVE_LAMPORTS = 890_880n;
