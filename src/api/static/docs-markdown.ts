import { html, raw } from 'hono/html';
import { parse, Renderer, type Tokens } from 'marked';
import { createAnchors } from './docs-addresses.ts';

/** The target of a link: an address to open, or the path of a file that is not served. */
export type LinkTarget = { readonly href: string } | { readonly path: string };

type TargetOf = (link: string) => LinkTarget;

/**
 * Renders a page of the documentation. HTML in the page is shown as text, and a link goes where
 * `targetOf` says.
 */
export function renderMarkdown(text: string, targetOf: TargetOf): string {
  return parse(text, { async: false, renderer: new DocsRenderer(targetOf) });
}

class DocsRenderer extends Renderer {
  readonly #targetOf: TargetOf;
  readonly #anchorOf = createAnchors();

  constructor(targetOf: TargetOf) {
    super();
    this.#targetOf = targetOf;
  }

  override html({ text }: Tokens.HTML | Tokens.Tag): string {
    return `${html`${text}`}`;
  }

  override heading({ tokens, depth }: Tokens.Heading): string {
    const id = this.#anchorOf(this.parser.parseInline(tokens, this.parser.textRenderer));
    return `<h${depth} id="${id}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
  }

  /** The title of a block, such as `title="shop.mjs"`, is above it. A sample can be scrolled. */
  override code({ text, lang = '' }: Tokens.Code): string {
    const [, title] = /title="([^"]*)"/.exec(lang) ?? [];
    const caption = title === undefined ? '' : html`<p class="file">${title}</p>`;
    return `${html`${caption}<pre tabindex="0"><code>${text}</code></pre>`}\n`;
  }

  override table(token: Tokens.Table): string {
    return `<div class="table" tabindex="0">${super.table(token)}</div>\n`;
  }

  override checkbox({ checked }: Tokens.Checkbox): string {
    return checked ? '☑ ' : '☐ ';
  }

  override link({ href, tokens }: Tokens.Link): string {
    const target = this.#targetOf(href);
    const label = this.parser.parseInline(tokens);
    if ('href' in target) return `${html`<a href="${target.href}">${raw(label)}</a>`}`;
    const words = this.parser.parseInline(tokens, this.parser.textRenderer);
    const path = html`<code>${target.path}</code>`;
    return target.path.endsWith(words) ? `${path}` : `${html`${raw(label)} (${path})`}`;
  }

  override image({ href, text }: Tokens.Image): string {
    const target = this.#targetOf(href);
    return `${'href' in target ? html`<img src="${target.href}" alt="${text}">` : html`${text}`}`;
  }
}
