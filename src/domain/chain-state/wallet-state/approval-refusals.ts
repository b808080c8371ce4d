/** What a wallet is told if the chain would refuse its approval, by `Refusal`. */
export const APPROVAL_REFUSALS = {
  authority_replaced: "The wallet's approval has just changed: request the transactions again.",
  token_account_frozen: "The wallet's token account is frozen.",
  cpi_guard:
    "The wallet's token account has the CPI guard, which refuses the approval. Switch off CPI guard in the wallet, and try again.",
} as const;
