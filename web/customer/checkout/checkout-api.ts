import { askJson } from '../shared/ask-json.ts';

/** The response with the transactions to sign. */
export interface ToSign {
  readonly subscriptionPda: string;
  readonly transactions: readonly string[];
  /** Whether more transactions follow after these are confirmed. */
  readonly more: boolean;
}

/** What a wallet pays if it approves now. Amounts are integer strings. */
export interface WalletTerms {
  /** Seconds of free trial; `0` if the wallet has already had its trial. */
  readonly trialPeriodSeconds: string;
  /** Base units that are collected as soon as the wallet has approved. */
  readonly dueNow: string;
  /** Due date of the first payment that is not collected at once, ISO 8601. */
  readonly nextPaymentDate: string;
  /** Whether the service pays the fee and the deposits. */
  readonly sponsored: boolean;
  /** Costs in lamports. */
  readonly costs: { readonly fee: string; readonly deposits: string };
  /** Balance of the wallet in base units of the plan's token. */
  readonly balance: { readonly amount: string; readonly recommended: string; readonly sufficient: boolean };
}

/** Whether a wallet can subscribe now. */
export interface WalletCheck {
  /** Why it cannot; null if it can. */
  readonly refusal: string | null;
  /** Missing base units of the plan's token, and lamports (null: an unknown number). */
  readonly missing: { readonly amount: string; readonly lamports: string | null } | null;
  /** Null if no transaction can be created. */
  readonly terms: WalletTerms | null;
}

/** The facts about a sent approval that complete the checkout. */
export interface Approved {
  readonly subscriptionPda: string;
  readonly userWallet: string;
  readonly signature: string;
}

export interface CheckoutStatus {
  readonly status: 'open' | 'completed' | 'expired';
  /** Whether a wallet has requested the transactions to sign. */
  readonly walletConnected?: boolean;
  readonly redirectUrl: string | null;
}

/** The state of the checkout after an approval was reported. */
export interface ReportedApproval {
  readonly status: 'confirming' | 'completed';
  readonly redirectUrl: string | null;
}

/** The routes of one checkout, which need no key. Each call throws `ApiError`. */
export class CheckoutApi {
  readonly #path: string;

  constructor(sessionId: string) {
    this.#path = `/api/checkout/${sessionId}`;
  }

  readStatus(): Promise<CheckoutStatus> {
    return this.#ask('');
  }

  check(userWallet: string): Promise<WalletCheck> {
    return this.#ask('/wallet', { userWallet });
  }

  toSign(userWallet: string): Promise<ToSign> {
    return this.#ask('/transaction', { userWallet });
  }

  /** Completes the checkout as soon as the network has confirmed what the wallet has sent. */
  report(approved: Approved): Promise<ReportedApproval> {
    return this.#ask('/approval', approved);
  }

  /** Enters the code of a discount. */
  enterCode(code: string): Promise<unknown> {
    return this.#ask('/discount', { code });
  }

  removeDiscount(): Promise<unknown> {
    return this.#ask('/discount', undefined, 'DELETE');
  }

  // Without cookies: a member or a portal customer who is signed in here is nobody to a checkout.
  #ask<Answer>(path: string, body?: object, method?: string): Promise<Answer> {
    const options = { credentials: 'omit', cache: 'no-store', ...(method && { method }) } as const;
    return askJson(this.#path + path, body, options);
  }
}
