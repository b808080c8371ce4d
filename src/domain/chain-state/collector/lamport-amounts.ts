/** The base fee of a transaction with one signature. */
export const FEE_LAMPORTS = 5_000n;
/** The rent of a token account, before rents were lowered. */
export const TOKEN_ACCOUNT_LAMPORTS = 2_039_280n;
/**
 * The minimum balance of an account without data, before rents were lowered. A fee cannot reduce
 * the balance of its payer below this amount.
 */
export const RESERVE_LAMPORTS = 890_880n;
