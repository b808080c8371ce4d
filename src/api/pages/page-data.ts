// What the API passes to the pages of `web/customer`, and what it gets back. This file imports
// nothing, because browsers run those pages.

/** The company of a page. */
export interface PageCompany {
  readonly name: string;
  readonly logoUrl: string | null;
}

/** Links from a page of a company to the customer's own pages; null leaves a link out. */
export interface PageLinks {
  readonly receiptPath: string | null;
  readonly portalPath: string;
  /** A page of the company. */
  readonly companyUrl: string | null;
}

export type PageFact = readonly [label: string, value: string];

/** A receipt in words, and its links. */
export interface ReceiptData {
  readonly company: PageCompany;
  readonly texts: {
    readonly title: string;
    readonly date: string;
    readonly amount: string;
    /** Null in LIVE. */
    readonly testNote: string | null;
    readonly seller: readonly string[];
    readonly buyer: readonly string[];
    readonly facts: readonly PageFact[];
    readonly proof: readonly PageFact[];
    readonly later: readonly PageFact[];
  };
  /** Path of the page. */
  readonly path: string;
  /** URL of the transaction in an explorer; null if the cluster has no explorer. */
  readonly explorerUrl: string | null;
  /** Whether the receipt is available as PDF. */
  readonly hasPdf: boolean;
  readonly links: PageLinks;
}

/** A payment whose receipt is not issued yet. */
export interface WaitingReceiptData {
  readonly company: PageCompany;
  readonly links: PageLinks;
}

/** The comparison of a receipt with the chain. */
export interface VerifyReceiptData {
  /** Why the receipt is invalid. */
  readonly problem: string | null;
  /** Whether the cluster did not respond. */
  readonly isUnreadable: boolean;
  readonly verdict: {
    readonly number: number;
    readonly seller: string;
    readonly agrees: boolean;
    /** The receipt in one sentence. */
    readonly sentence: string;
    /** What was not compared; null if everything was. */
    readonly unchecked: string | null;
    readonly checks: readonly { readonly statement: string; readonly agrees: boolean }[];
  } | null;
  /** The form for a pasted receipt, with what was pasted; null if the receipt is that of a link. */
  readonly form: { readonly text: string; readonly maxLength: number; readonly ownKey: string } | null;
  /** The page of the receipt, if it is that of a link. */
  readonly receiptPath: string | null;
}

/** A plan with its price. */
export interface OfferData {
  readonly planName: string;
  readonly description: string | null;
  /** Null if the token is not known. Then no price is shown. */
  readonly token: { readonly name: string | null; readonly decimals: number } | null;
  /** The price, with the discount if there is one, in base units. */
  readonly amount: string;
  /** Null without a discount. */
  readonly discount: {
    readonly name: string;
    /** The price without it, in base units. */
    readonly fullAmount: string;
    /** The number of payments that it reduces; null for all. */
    readonly periods: number | null;
  } | null;
  /** The most that can be collected in one interval, in base units. */
  readonly maxAmount: string;
  readonly intervalSeconds: number;
  /**
   * The first payment after the one that is due at once, or the first one after the trial, for a new
   * customer who subscribes now. ISO 8601. Null if nobody can subscribe any more.
   */
  readonly nextPaymentAt: string | null;
}

/** A payment link that is off, or whose plan is closed to new customers. */
export interface LinkOffData {
  readonly company: PageCompany;
  readonly planName: string;
  readonly supportEmail: string | null;
  readonly cancelUrl: string | null;
}

export interface LinkData extends LinkOffData {
  /** Path of the page, to which its form is sent. */
  readonly path: string;
  readonly isTest: boolean;
  readonly offer: OfferData;
  readonly trialSeconds: number;
  /** What the visitor has entered, and whether it is no email address. */
  readonly email: string;
  readonly isInvalid: boolean;
}

/** What all pages of a checkout show. */
export interface CheckoutData {
  readonly sessionId: string;
  readonly company: PageCompany;
  readonly isTest: boolean;
  readonly offer: OfferData;
  /** The trial of this customer, and of new customers, in seconds. */
  readonly trialSeconds: number;
  readonly planTrialSeconds: number;
  readonly customerEmail: string;
  readonly mint: string;
  readonly supportEmail: string | null;
  readonly cancelUrl: string | null;
}

/** Links with which a checkout is approved outside of this browser. */
export interface OtherDevices {
  /** Opens the operator's app on a phone that has it; null if none is configured. */
  readonly app: string | null;
  /** Opens any wallet that supports Solana Pay; null without https. */
  readonly solanaPay: string | null;
  /** Open the page in the browser of a wallet app. */
  readonly walletApps: readonly { readonly name: string; readonly href: string }[];
}

export interface OpenCheckoutData extends CheckoutData {
  /** Whether the customer may enter a code of a discount. */
  readonly allowsCodes: boolean;
  readonly secondsLeft: number;
  /** ISO 8601. */
  readonly expiresAt: string;
  /** The chain that wallets use, in the names of the Wallet Standard. */
  readonly chain: `solana:${string}`;
  readonly devices: OtherDevices;
  /** What the issuer of a Token-2022 token can do with tokens of others; null for other tokens. */
  readonly issuer: {
    readonly canFreeze: boolean;
    readonly canTake: boolean;
    readonly canPause: boolean;
    readonly canClose: boolean;
  } | null;
}

/** A checkout that has ended without a subscription. */
export interface EndedCheckoutData extends CheckoutData {
  /** Whether a transaction signed in time may still complete it. */
  readonly isSettling: boolean;
  readonly walletConnected: boolean;
}

/** What was paid, and what comes next. */
export interface CompletedCheckoutData extends CheckoutData {
  readonly payment: { readonly amount: string; readonly paidAt: string } | null;
  /** The current state of the subscription; null if it is not shown any more. */
  readonly now: {
    readonly status: 'ACTIVE' | 'PAST_DUE' | 'CANCELLED' | 'EXPIRED';
    /** ISO 8601. */
    readonly nextPaymentAt: string | null;
    readonly accessUntil: string | null;
    readonly isDue: boolean;
    readonly isUnpaid: boolean;
  } | null;
  /** Whether the first payment is being collected, so that the page follows it. */
  readonly isCollectedSoon: boolean;
  /** The page of the company to which the customer goes back. */
  readonly backUrl: string | null;
  readonly links: PageLinks;
}

/** Why a checkout or a payment link cannot be shown. */
export type CheckoutProblem = 'NO_CHECKOUT' | 'NO_LINK' | 'TOO_MANY_REQUESTS' | 'INTERNAL';

export interface CheckoutErrorData {
  readonly problem: CheckoutProblem;
  /** The page that may work later; null if it never will. */
  readonly retryPath: string | null;
}

export interface UnsubscribeData {
  /** The company whose reminders the link ends; null if the link is wrong. */
  readonly reminders: { readonly company: string; readonly isOff: boolean } | null;
}

/** The data of each page, by the name of the page. It is JSON. */
export interface PageData {
  readonly receipt: ReceiptData;
  readonly waitingReceipt: WaitingReceiptData;
  readonly noReceipt: object;
  readonly verifyReceipt: VerifyReceiptData;
  readonly openCheckout: OpenCheckoutData;
  readonly endedCheckout: EndedCheckoutData;
  readonly completedCheckout: CompletedCheckoutData;
  readonly link: LinkData;
  readonly linkOff: LinkOffData;
  readonly checkoutError: CheckoutErrorData;
  readonly missing: object;
  readonly unsubscribe: UnsubscribeData;
  readonly welcome: object;
}

export type PageName = keyof PageData;

/** A rendered page, and what its security policy has to allow. */
export interface RenderedPage {
  readonly html: string;
  /** The inline style. */
  readonly style: string;
  /** The hash of its script, as the attribute `integrity` has it; undefined without a script. */
  readonly scriptHash: string | undefined;
  /** Whether the page has a form, which it sends to our own origin. */
  readonly hasForm: boolean;
}

export interface RenderOptions {
  /** Added to the style of the page. */
  readonly extraStyle: string;
  /** URL of a script of another origin, which a page with a script loads too. */
  readonly walletScript: string | undefined;
}

/** The module that `npm run web` builds from `web/customer/pages.tsx`. */
export interface BuiltPages {
  /** The style sheet of all pages. */
  readonly sheet: string;
  render<Name extends PageName>(name: Name, data: PageData[Name], options: RenderOptions): RenderedPage;
}
