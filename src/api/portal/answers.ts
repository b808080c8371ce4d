// The answers of the portal's routes. The page imports these types and nothing else of the server,
// so this file imports nothing. Amounts are integer strings in base units, dates ISO 8601 in UTC.

export type PortalEnvironment = 'TEST' | 'LIVE';
export type PortalFlowName = 'ALL' | 'CANCEL' | 'REPAIR_APPROVAL' | 'TOP_UP';

export interface MerchantAnswer {
  readonly name: string;
  readonly logoUrl: string | null;
  readonly supportEmail: string | null;
}

export interface ClusterAnswer {
  /** `solana:mainnet`, for wallets. */
  readonly chain: `solana:${string}`;
  /** With `{path}` for `tx/<signature>` or `address/<address>`. */
  readonly explorerUrl: string;
}

export interface SessionAnswer {
  /** Null if no customer is signed in. */
  readonly session: {
    readonly flow: PortalFlowName;
    readonly returnUrl: string | null;
    /** The wallet that signed in; null for a link. */
    readonly walletAddress: string | null;
    /** The merchant of a link; null for a wallet, which may pay several. */
    readonly merchant: MerchantAnswer | null;
  } | null;
  /** Whether a link can be sent by email. */
  readonly hasEmail: boolean;
  /** The time that billing goes by. */
  readonly now: string;
}

export interface AssetAnswer {
  readonly mint: string;
  readonly symbol: string | null;
  readonly decimals: number | null;
}

export type PortalStatus = 'ACTIVE' | 'PAST_DUE' | 'CANCELLED' | 'EXPIRED';

export interface SubscriptionAnswer {
  readonly id: string;
  readonly environment: PortalEnvironment;
  readonly merchant: MerchantAnswer;
  readonly plan: {
    readonly name: string;
    readonly description: string | null;
    readonly imageUrl: string | null;
    readonly amount: string;
    readonly intervalSeconds: number;
    readonly asset: AssetAnswer;
  };
  readonly status: PortalStatus;
  readonly startedAt: string;
  /** Due date of the next or overdue payment; null if nothing more is charged. */
  readonly nextPaymentAt: string | null;
  /** End of the paid time; null if it continues. */
  readonly accessUntil: string | null;
  readonly paymentCount: number;
}

export type ActionName =
  | 'cancel'
  | 'undo'
  | 'cancel_on_chain'
  | 'resume'
  | 'repair_approval'
  | 'top_up'
  | 'close';

export interface WalletAnswer {
  /** Null if the token account is closed. */
  readonly balance: string | null;
  readonly approval: 'OK' | 'REVOKED' | 'REPLACED' | 'CLOSED';
  readonly frozen: boolean;
  /** Number of payments that the balance covers. */
  readonly runwayPeriods: number;
  /** The date until which it is enough, if the wallet pays for nothing else. */
  readonly runwayUntil: string | null;
}

export interface SubscriptionDetailAnswer extends SubscriptionAnswer {
  /** Address of its account on chain. */
  readonly address: string;
  readonly walletAddress: string;
  /** The program's account through which the wallet permits payments. */
  readonly authority: string;
  /** Null while the network cannot be read. */
  readonly wallet: WalletAnswer | null;
  /** Null while the network cannot be read. */
  readonly cluster: ClusterAnswer | null;
  /** What the customer can do now. */
  readonly actions: readonly ActionName[];
}

export interface SubscriptionsAnswer {
  readonly subscriptions: readonly SubscriptionAnswer[];
  readonly hasMore: boolean;
}

export interface PaymentAnswer {
  readonly id: string;
  readonly status: 'DUE' | 'SUCCEEDED' | 'FAILED' | 'MISSED';
  readonly amount: string;
  readonly dueAt: string;
  readonly paidAt: string | null;
  /** Signature of its transaction. */
  readonly signature: string | null;
  /** Page of its receipt; null if there is none. */
  readonly receiptUrl: string | null;
}

export interface PaymentsAnswer {
  readonly payments: readonly PaymentAnswer[];
  readonly hasMore: boolean;
}

/** What later receipts say of the buyer; null for what was not given. */
export interface BillingAnswer {
  readonly billingName: string | null;
  readonly billingAddress: string | null;
  readonly taxId: string | null;
}

export interface TransactionAnswer {
  /** Unsigned, in base64. */
  readonly transaction: string;
}
