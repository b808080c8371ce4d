import { withoutInvisible } from '../../kernel/input/invisible.ts';
import { oneLine } from '../../kernel/input/one-line.ts';

declare const foreign: unique symbol;

/**
 * A text of a merchant that is safe in a mail: mails come from the operator's domain, and a merchant
 * may be anyone.
 */
export type ForeignText = string & { readonly [foreign]: true };

/** Characters after which a mail program may see the rest of a domain, a URL or an address. */
const JOINTS = /[.:/\\@\u3002\uff0e\uff61](?=\S)/g;
/** Invisible, and no part of any domain, URL or address. Added after others were removed. */
const BREAK = '\u200b';

/**
 * Makes a text of a merchant one line without anything that a mail program makes a link of, also of
 * a domain without a scheme. It looks as before.
 */
export function foreignText(text: string): ForeignText {
  const line = oneLine(withoutInvisible(text)).replaceAll(/\s+/g, ' ');
  return line.replaceAll(JOINTS, `$&${BREAK}`) as ForeignText;
}

const MAX_SENDER = 40;

/** The sender's name of a merchant's mail. The merchant's part is cut, so that the rest is seen. */
export function senderName(merchant: ForeignText, operator: string): string {
  // Not by the units of a string, of which most emoji have two.
  const characters = [...merchant];
  const cut = characters.slice(0, MAX_SENDER - 1).join('');
  const name = characters.length > MAX_SENDER ? `${cut.trimEnd()}…` : merchant;
  return `${name} via ${operator}`;
}
