/** The base fee of a transaction with one signature. */
export const FEE_LAMPORTS = 5_000n;
/** What an account without data has to hold (before rents were lowered): a fee may not take its payer below that. */
export const RESERVE_LAMPORTS = 890_880n;
