// The responses of the portal's routes. The page imports only these types from the server, so this
// file imports nothing. Amounts are integer strings in base units; dates are ISO 8601 in UTC.

export type PortalEnvironment = 'TEST' | 'LIVE';
export type PortalFlowName = 'ALL' | 'CANCEL' | 'REPAIR_APPROVAL' | 'TOP_UP';

/** Colours as `#rrggbb`. */
export interface ColorsAnswer {
  /** The ground of buttons. */
  readonly color: string;
  /** Text on it. */
  readonly text: string;
  /** Links and edges on light pages. */
  readonly onLight: string;
  /** Links and edges on dark pages. */
  readonly onDark: string;
}

export interface MerchantAnswer {
  readonly name: string;
  readonly logoUrl: string | null;
  /** The merchant's colours; null for ours. */
  readonly colors: ColorsAnswer | null;
  readonly supportEmail: string | null;
}

export interface ClusterAnswer {
  /** Name of the cluster in the Wallet Standard: `solana:mainnet`. */
  readonly chain: `solana:${string}`;
  /** URL of an explorer, in which `{path}` stands for `tx/<signature>` or `address/<address>`. */
  readonly explorerUrl: string;
}

export interface SessionAnswer {
  /** The portal session; null if no customer is signed in. */
  readonly session: {
    readonly flow: PortalFlowName;
    readonly returnUrl: string | null;
    /** The wallet that signed in; null after a sign-in with a link. */
    readonly walletAddress: string | null;
    /**
     * The merchant of the link; null after a sign-in with a wallet, which may pay several
     * merchants.
     */
    readonly merchant: MerchantAnswer | null;
  } | null;
  /** Whether the service can send a link by email. */
  readonly hasEmail: boolean;
  /** The time that billing uses. */
  readonly now: string;
}

export interface LinkAnswer {
  /** What the customer must agree to before the link signs in; null once it has. */
  readonly question: {
    readonly merchant: MerchantAnswer;
    /** Null if the customer no longer exists. */
    readonly email: string | null;
    /** Whether it ends the portal session of this browser. */
    readonly replacesSession: boolean;
  } | null;
}

export interface AssetAnswer {
  readonly mint: string;
  readonly symbol: string | null;
  readonly decimals: number | null;
}

export type PortalStatus = 'ACTIVE' | 'PAST_DUE' | 'CANCELLED' | 'EXPIRED';

export interface WalletAnswer {
  /** Balance in base units; null if the token account is closed. */
  readonly balance: string | null;
  readonly approval: 'OK' | 'REVOKED' | 'REPLACED' | 'CLOSED';
  readonly frozen: boolean;
  /** Number of payments that the balance covers. */
  readonly runwayPeriods: number;
  /** Date until which the balance is enough if nothing else is spent from it; null if unknown. */
  readonly runwayUntil: string | null;
}

export interface SubscriptionAnswer {
  readonly id: string;
  readonly environment: PortalEnvironment;
  readonly merchant: MerchantAnswer;
  readonly plan: {
    readonly name: string;
    readonly description: string | null;
    readonly imageUrl: string | null;
    readonly amount: string;
    /** The most that can be collected in one interval, in base units. */
    readonly maxAmount: string;
    readonly intervalSeconds: number;
    readonly asset: AssetAnswer;
  };
  readonly status: PortalStatus;
  readonly startedAt: string;
  /** Due date of the next or overdue payment that is charged; null if nothing more is, or not until it is resumed. */
  readonly nextPaymentAt: string | null;
  /** Its running or next pause; `until` is null until it is resumed. */
  readonly pause: {
    readonly from: string;
    readonly until: string | null;
    readonly keepsAccess: boolean;
  } | null;
  /** End of the paid time; null if it continues. */
  readonly accessUntil: string | null;
  readonly paymentCount: number;
  /** Null while the network cannot be read, and in a list if nothing more is charged. */
  readonly wallet: WalletAnswer | null;
}

export type ActionName =
  | 'cancel'
  | 'undo'
  | 'pause'
  | 'unpause'
  | 'cancel_on_chain'
  | 'resume'
  | 'repair_approval'
  | 'top_up'
  | 'close';

export interface SubscriptionDetailAnswer extends SubscriptionAnswer {
  /** Address of its account on chain. */
  readonly address: string;
  readonly walletAddress: string;
  /** Address of the program's account to which the wallet gives the approval. */
  readonly authority: string;
  /** Null while the network cannot be read. */
  readonly cluster: ClusterAnswer | null;
  /** What reduces its next payment or later ones; null without a discount. */
  readonly discount: DiscountAnswer | null;
  /** The most periods for which the customer can pause. */
  readonly maxPausedPeriods: number;
  /** Actions that the customer can take now. */
  readonly actions: readonly ActionName[];
  /** Where the customer can subscribe again after the end; null if nowhere, or before it. */
  readonly subscribeAgain: {
    readonly url: string;
    /** Whether it leads to the same plan; otherwise it leads to a page of the merchant. */
    readonly isSamePlan: boolean;
  } | null;
}

export interface DiscountAnswer {
  readonly name: string;
  /** Part of the price in hundredths of a percent; null for a fixed amount. */
  readonly percentBps: number | null;
  /** Fixed amount in base units of the plan's token; null for a part of the price. */
  readonly amount: string | null;
  /** The price without it, in base units. */
  readonly fullAmount: string;
  /** Number of payments that it still reduces; null for all. */
  readonly periodsLeft: number | null;
  /** Due date of the first payment after it; null if it never ends, or while a pause moves it. */
  readonly fullPriceAt: string | null;
}

export interface SubscriptionsAnswer {
  readonly subscriptions: readonly SubscriptionAnswer[];
  readonly hasMore: boolean;
}

/** A subscription that is not charged, because another wallet completed its checkout. */
export interface DuplicateAnswer {
  /** Address of its account on chain. */
  readonly address: string;
  readonly environment: PortalEnvironment;
  readonly merchant: MerchantAnswer;
  readonly planName: string;
  readonly walletAddress: string;
  /** Null while the network cannot be read. */
  readonly cluster: ClusterAnswer | null;
  /** What its wallet can sign now; null if it must wait, or while the network cannot be read. */
  readonly action: 'cancel' | 'close' | null;
  /** The time from which it can be closed; null if it need not wait. */
  readonly closableAt: string | null;
}

export interface DuplicatesAnswer {
  readonly duplicates: readonly DuplicateAnswer[];
}

export interface PaymentAnswer {
  readonly id: string;
  readonly status: 'DUE' | 'SUCCEEDED' | 'FAILED' | 'MISSED' | 'WAIVED';
  readonly amount: string;
  /** What it consists of; empty for older payments. */
  readonly lines: readonly { readonly text: string; readonly amount: string }[];
  /** Base units of its refunds that are final; `0` without one. */
  readonly refundedAmount: string;
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

/** Details of the buyer for later receipts; null for a detail that was not given. */
export interface BillingAnswer {
  readonly billingName: string | null;
  readonly billingAddress: string | null;
  readonly taxId: string | null;
}

export interface TransactionAnswer {
  /** Unsigned transaction in base64. */
  readonly transaction: string;
}
