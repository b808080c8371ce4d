import { posix } from 'node:path';
import { lexer, type Token, walkTokens } from 'marked';

/** One page of the documentation, by its path below `docs/`, such as `guides/going-live.md`. */
export interface DocsEntry {
  readonly file: string;
  /** The pages of its folder, if this is the `README.md` of a folder. */
  readonly inside: readonly string[];
}

export interface DocsGroup {
  readonly title: string;
  readonly entries: readonly DocsEntry[];
}

const START = 'README.md';

/**
 * Returns the pages in the order in which they are read: as the lists and tables of `README.md` link
 * to them, under its headings. The `README.md` of a folder brings the pages that it links to. Pages
 * without a link come last. A list with samples of code is an introduction, and gives no order.
 */
export function docsOrder(files: ReadonlyMap<string, string>): DocsGroup[] {
  const listed = new Set([START]);
  const list = (links: readonly string[]) =>
    links.filter((file) => files.has(file) && !listed.has(file) && listed.add(file));
  const entryOf = (file: string): DocsEntry => ({
    file,
    inside: posix.basename(file) === START ? list(listedBy(file, files).flatMap(({ links }) => links)) : [],
  });
  const groups = listedBy(START, files).map(({ title, links }) => ({
    title,
    entries: list(links).map(entryOf),
  }));
  const others = { title: 'More', entries: list([...files.keys()].sort()).map(entryOf) };
  return [...groups, others].filter(({ entries }) => entries.length > 0);
}

/** The pages that the lists and tables of a page link to, under each of its headings. */
function listedBy(file: string, files: ReadonlyMap<string, string>) {
  const sections: { title: string; links: string[] }[] = [{ title: 'Start', links: [] }];
  for (const block of lexer(files.get(file) ?? '')) {
    if (block.type === 'heading' && block.depth === 2) sections.push({ title: block.text, links: [] });
    if ((block.type === 'list' && !hasCode(block)) || block.type === 'table') {
      sections.at(-1)?.links.push(...linksIn(block).map((link) => posix.join(posix.dirname(file), link)));
    }
  }
  return sections;
}

function hasCode(block: Token): boolean {
  let found = false;
  walkTokens([block], ({ type }) => {
    found ||= type === 'code';
  });
  return found;
}

function linksIn(block: Token): string[] {
  const links: string[] = [];
  walkTokens([block], (token) => {
    if (token.type === 'link') links.push(token.href.replace(/#.*/, ''));
  });
  return links;
}
