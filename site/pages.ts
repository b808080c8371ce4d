import { existsSync } from 'node:fs';
import { glob, readFile } from 'node:fs/promises';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createAnchors, slugOf } from '../src/api/static/docs-addresses.ts';

/** One page of the documentation. */
export interface Page {
  /** Path in the repository: `docs/guides/test-clocks.md`. */
  readonly file: string;
  /** Path below `/docs`: `guides/test-clocks`; empty for the start page. */
  readonly slug: string;
  readonly title: string;
  /** The first sentences of the page's first paragraph; empty if it starts with another block. */
  readonly description: string;
  /** Markdown without the title. */
  readonly body: string;
}

/** The target of a link on a page. */
export type Target =
  | { readonly kind: 'page'; readonly page: Page; readonly anchor: string }
  /** A file or folder that is not a page, by its path in the repository. */
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'missing'; readonly path: string };

const ROOT = fileURLToPath(new URL('../', import.meta.url));
/** Pages outside `docs/`. */
const OTHER_PAGES = ['CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md'];
const MAX_DESCRIPTION_CHARACTERS = 200;
/** A fenced block, at any indentation. */
const FENCED = /^( *)(`{3,})[^\n]*\n[\s\S]*?^\1\2 *$/gm;
/** `[text](target)`. The text may contain code with brackets. */
const LINK = /\[((?:`[^`]*`|[^`[\]])*)\]\(([^()\s]+)\)/g;

/** Reads all pages, in the order of their paths. */
export async function readPages(): Promise<Page[]> {
  const found: string[] = [];
  for await (const file of glob('docs/**/*.md', { cwd: ROOT })) found.push(file);
  const files = [...found.sort(), ...OTHER_PAGES];
  return Promise.all(files.map(async (file) => pageOf(file, await readFile(`${ROOT}${file}`, 'utf8'))));
}

function pageOf(file: string, text: string): Page {
  const [, title = '', body = ''] = /^# (.+)\n([\s\S]*)$/.exec(text) ?? [];
  return {
    file,
    slug: slugOf(file.replace(/^docs\//, '')),
    title: plain(title),
    description: descriptionIn(body),
    body,
  };
}

function descriptionIn(body: string): string {
  const [first = ''] = body.trim().split(/\n\s*\n/);
  if (/^(#|\||```|>|[-*] |\d+\. |!)/.test(first)) return '';
  // Without a lead such as "**Context.**".
  const sentences = plain(first.replace(/^\*\*[^*]+\*\*\s+/, '')).split(/(?<=[.:?!]) (?=[A-Z`])/);
  let description = sentences.shift() ?? '';
  for (const sentence of sentences) {
    if (description.length + sentence.length >= MAX_DESCRIPTION_CHARACTERS) break;
    description += ` ${sentence}`;
  }
  return description;
}

/** Converts Markdown to plain text in one line. */
function plain(markdown: string): string {
  return markdown
    .replace(LINK, '$1')
    .replace(/\*\*|`/g, '')
    .replace(/\s+/g, ' ')
    .trim();
}

/** Replaces every link outside fenced blocks. */
export function replaceLinks(text: string, replace: (label: string, target: string) => string): string {
  let result = '';
  let from = 0;
  const prose = (until: number) =>
    text.slice(from, until).replace(LINK, (_, label: string, target: string) => replace(label, target));
  for (const { 0: block, index } of text.matchAll(FENCED)) {
    result += prose(index) + block;
    from = index + block.length;
  }
  return result + prose(text.length);
}

/** The target of a link on a page; undefined for a target outside the repository. */
export function targetOf({ file }: Page, link: string, pages: readonly Page[]): Target | undefined {
  if (/^[a-z]+:/.test(link)) return undefined;
  const [relative = '', anchor = ''] = link.split('#');
  const path = relative === '' ? file : posix.join(posix.dirname(file), decodeURIComponent(relative));
  const page = pages.find((other) => other.file === path);
  if (page) return { kind: 'page', page, anchor };
  return { kind: existsSync(`${ROOT}${path}`) ? 'file' : 'missing', path };
}

/** The anchors of a page's headings, as GitHub and the site generate them. */
export function anchorsOf({ body }: Page): Set<string> {
  const anchorOf = createAnchors();
  const headings = body.replace(FENCED, '').matchAll(/^#{2,6} (.+)$/gm);
  return new Set([...headings].map(([, heading = '']) => anchorOf(plain(heading))));
}
