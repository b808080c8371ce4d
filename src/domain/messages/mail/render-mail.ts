import { brandColors } from '../../accounts/merchant/brand-colors.ts';
import { oneLine } from '../../kernel/input/one-line.ts';
import type { MailBrand, MailContent } from './mail-content.ts';

/** A mail as it is sent. */
export interface RenderedMail {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

const DEFAULT_COLOR = '#4338ca';
const TEST_NOTE = 'Test mode: no real money moves.';

/**
 * Renders a mail as text and as HTML with the same content. Its texts are escaped, and those of
 * merchants are `ForeignText`. Styles are inline and the layout is a table, because mail programs
 * drop other styles and layouts.
 *
 * @param unsubscribeUrl shown in the footer of reminders
 */
export function renderMail(content: MailContent, brand: MailBrand, unsubscribeUrl?: string): RenderedMail {
  const subject = oneLine(`${brand.isTest ? '[Test] ' : ''}${content.subject}`);
  return {
    subject,
    text: asText(content, brand, unsubscribeUrl),
    html: asHtml(subject, content, brand, unsubscribeUrl),
  };
}

function asText(content: MailContent, brand: MailBrand, unsubscribeUrl: string | undefined): string {
  const { title, paragraphs, facts = [], link, links = [], notes = [] } = content;
  const footer = [
    brand.name,
    ...(brand.supportEmail === null ? [] : [`Questions? ${brand.supportEmail}`]),
    ...(unsubscribeUrl === undefined ? [] : [`No more reminders: ${unsubscribeUrl}`]),
  ];
  const parts = [
    ...(brand.isTest ? [TEST_NOTE] : []),
    title,
    ...paragraphs,
    ...(facts.length > 0 ? [facts.map(([name, value]) => `${name}: ${value}`).join('\n')] : []),
    ...[...(link ? [link] : []), ...links].map(({ text, url }) => `${text}:\n${url}`),
    ...notes,
    `-- \n${footer.join('\n')}`,
  ];
  return `${parts.join('\n\n')}\n`;
}

const FONT = "font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";
const SMALL = 'margin:0 0 8px;font-size:13px;line-height:20px;color:#5a6172';

function asHtml(
  subject: string,
  { title, paragraphs, facts = [], link, links = [], notes = [] }: MailContent,
  brand: MailBrand,
  unsubscribeUrl: string | undefined,
): string {
  const { color, text, onLight } = brandColors(brand.color ?? DEFAULT_COLOR);
  const logo =
    brand.logoUrl === null
      ? ''
      : `<img src="${escapeHtml(brand.logoUrl)}" alt="" width="40" height="40" style="display:block;border-radius:8px;margin:0 0 8px">`;
  const rows = facts.map(
    ([name, value]) =>
      `<tr><td style="padding:6px 16px 6px 0;color:#5a6172;vertical-align:top">${escapeHtml(name)}</td><td style="padding:6px 0;vertical-align:top;word-break:break-word">${escapeHtml(value)}</td></tr>`,
  );
  const button =
    link &&
    `<p style="margin:24px 0"><a href="${escapeHtml(link.url)}" style="display:inline-block;padding:12px 20px;border-radius:8px;background:${color};color:${text};border:1px solid ${onLight};text-decoration:none;font-weight:600">${escapeHtml(link.text)}</a></p>`;
  const support =
    brand.supportEmail === null
      ? ''
      : `<br>Questions? <a href="mailto:${escapeHtml(encodeURIComponent(brand.supportEmail))}" style="color:#5a6172">${escapeHtml(brand.supportEmail)}</a>`;
  const unsubscribe =
    unsubscribeUrl === undefined
      ? ''
      : `<br><a href="${escapeHtml(unsubscribeUrl)}" style="color:#5a6172">No more reminders</a>`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="format-detection" content="telephone=no,date=no,address=no,email=no,url=no">
<title>${escapeHtml(subject)}</title>
</head>
<body style="margin:0;background:#f5f6f8">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="background:#f5f6f8"><tr><td align="center" style="padding:24px 12px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:560px;background:#ffffff;border-radius:12px;border-top:4px solid ${color}"><tr><td style="padding:28px;${FONT};font-size:16px;line-height:24px;color:#14171f">
${brand.isTest ? `<p style="${SMALL};color:#8a4b00">${TEST_NOTE}</p>` : ''}
${logo}<p style="margin:0 0 16px;font-size:14px;color:#5a6172">${escapeHtml(brand.name)}</p>
<h1 style="margin:0 0 16px;font-size:22px;line-height:28px">${escapeHtml(title)}</h1>
${paragraphs.map((paragraph) => `<p style="margin:0 0 16px">${escapeHtml(paragraph)}</p>`).join('\n')}
${rows.length > 0 ? `<table role="presentation" cellpadding="0" cellspacing="0" style="margin:0 0 16px;font-size:15px">${rows.join('')}</table>` : ''}
${button ?? ''}
${links.map(({ text: words, url }) => `<p style="margin:0 0 8px"><a href="${escapeHtml(url)}" style="color:#14171f">${escapeHtml(words)}</a></p>`).join('\n')}
${notes.map((note) => `<p style="${SMALL}">${escapeHtml(note)}</p>`).join('\n')}
<p style="${SMALL};margin-top:24px;padding-top:16px;border-top:1px solid #e0e3ea">${escapeHtml(brand.name)}${support}${unsubscribe}</p>
</td></tr></table>
</td></tr></table>
</body>
</html>
`;
}

const ESCAPED: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ESCAPED[character] ?? character);
}
