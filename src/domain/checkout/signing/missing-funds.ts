import type { AppContext } from '../../../app.ts';
import { BillingError } from '../../../errors.ts';
import { priceAsset } from '../../catalog/asset/price-asset.ts';
import { toDecimal } from '../../catalog/money/decimal-amount.ts';
import { priceText } from '../../catalog/money/price-text.ts';
import type { SessionRecord } from '../session/get-checkout-session.ts';
import type { WalletBalance } from '../session/wallet-balance.ts';

/** What a wallet lacks to subscribe now. */
export interface MissingFunds {
  /** Base units of the plan's token for the payment that is due now; 0 if none is missing. */
  readonly amount: bigint;
  /** Lamports for the fee and the deposits; 0 if none are missing, null if the number is unknown. */
  readonly lamports: bigint | null;
}

/** The wallet lacks funds. The message names everything that is missing, for one top-up. */
export class LacksFunds extends BillingError {
  readonly missing: MissingFunds;

  constructor(message: string, missing: MissingFunds, cause?: unknown) {
    super('invalid_request', message, 'userWallet', { cause });
    this.missing = missing;
  }
}

/** The costs of a subscription that starts now. */
interface Needed {
  /** Base units of the plan's token. */
  readonly dueNow: bigint;
  /** Set if the wallet has too little SOL. `needed` is undefined if the number is unknown. */
  readonly sol?: { readonly needed: bigint | undefined; readonly cause: unknown };
}

/** Compares a wallet's balance with the costs. Returns undefined if it covers them. */
export async function findMissingFunds(
  ctx: AppContext,
  { environment, plan }: SessionRecord,
  balance: WalletBalance,
  { dueNow, sol }: Needed,
): Promise<LacksFunds | undefined> {
  const amount = dueNow > balance.amount ? dueNow - balance.amount : 0n;
  const lamports = sol ? missingLamports(balance.lamports, sol.needed) : 0n;
  const messages = sol ? [solText(balance.lamports, sol.needed, lamports)] : [];
  if (amount > 0n) {
    const asset = await priceAsset(ctx, environment, plan.mint);
    const [has, first, missing] = [balance.amount, dueNow, amount].map((value) => priceText(asset, value));
    const subject = sol ? 'It also' : 'The wallet';
    messages.push(`${subject} has ${has}, and the first payment is ${first}: ${missing} is missing.`);
  }
  if (messages.length === 0) return undefined;
  return new LacksFunds(messages.join(' '), { amount, lamports }, sol?.cause);
}

function solText(lamports: bigint, needed: bigint | undefined, missing: bigint | null): string {
  const min = needed === undefined ? 'more' : `at least ${solAmount(needed)}`;
  const end = missing === null ? '' : `: ${solAmount(missing)} is missing`;
  return `The wallet has ${solAmount(lamports)}. Subscribing needs ${min} for the network fee and the deposits of new accounts${end}.`;
}

function missingLamports(lamports: bigint, needed: bigint | undefined): bigint | null {
  return needed === undefined || needed <= lamports ? null : needed - lamports;
}

const SOL_DECIMALS = 9;

function solAmount(lamports: bigint): string {
  return `${toDecimal(lamports, SOL_DECIMALS)} SOL`;
}
