/** A token amount as a cluster reports it: exact in base units, and as a decimal. */
export interface UiTokenAmount {
  /** Null with more than 19 decimals. */
  readonly uiAmount: number | null;
  readonly decimals: number;
  readonly amount: string;
  readonly uiAmountString: string;
}

/** 10^19 is the largest power of ten that a u64 holds. */
const MAX_UI_DECIMALS = 19;

export function uiTokenAmount(amount: bigint, decimals: number): UiTokenAmount {
  return {
    uiAmount: decimals > MAX_UI_DECIMALS ? null : Number(amount) / 10 ** decimals,
    decimals,
    amount: amount.toString(),
    uiAmountString: decimalString(amount, decimals),
  };
}

function decimalString(amount: bigint, decimals: number): string {
  if (decimals === 0) return amount.toString();
  const digits = amount.toString().padStart(decimals + 1, '0');
  const fraction = digits.slice(-decimals).replace(/0+$/, '');
  const integer = digits.slice(0, -decimals);
  return fraction ? `${integer}.${fraction}` : integer;
}
