/** The content of a mail without markup, which `renderMail` renders as text and HTML. */
export interface MailContent {
  readonly subject: string;
  readonly title: string;
  readonly paragraphs: readonly string[];
  /** Names and values, shown as a table. */
  readonly facts?: readonly (readonly [name: string, value: string])[];
  /** The one thing to do. */
  readonly link?: MailLink;
  /** Further links, after it. */
  readonly links?: readonly MailLink[];
  /** Texts after the link, in a smaller font. */
  readonly notes?: readonly string[];
}

export interface MailLink {
  readonly text: string;
  readonly url: string;
}

/** The sender of a mail as the recipient sees it. */
export interface MailBrand {
  readonly name: string;
  /** The name of the sender in the header. */
  readonly fromName: string;
  /** An https URL. */
  readonly logoUrl: string | null;
  /** `#rrggbb`. */
  readonly color: string | null;
  readonly supportEmail: string | null;
  /** Whether only test money moves. */
  readonly isTest: boolean;
}
