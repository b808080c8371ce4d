// Writes the files from which Astro builds the site: the pages of docs/ with Starlight's front matter,
// the reference of schema.graphql, a copy of each page as plain Markdown, and llms.txt.
import { copyFile, cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { graphqlReference } from './graphql-reference.ts';
import { type Page, readPages, replaceLinks, targetOf } from './pages.ts';
import { withHeadersOnce } from './rest-reference.ts';

const CONTENT = fileURLToPath(new URL('src/content/docs/', import.meta.url));
const PUBLIC = fileURLToPath(new URL('public/', import.meta.url));
/** Written by `npm run site`, for the REST reference. */
const OPENAPI = fileURLToPath(new URL('openapi.json', import.meta.url));
const BASE = '/docs';
/** Pictures of pages, which the site serves too. */
const PICTURES = 'docs/pictures/';

const schema = await readFile(new URL('../schema.graphql', import.meta.url), 'utf8');
const reference = graphqlReference(schema).map(
  ({ slug, ...rest }): Page => ({ ...rest, file: `docs/${slug}.md`, slug: slug.replace('/README', '') }),
);
const pages = [...(await readPages()), ...reference];

await Promise.all([CONTENT, PUBLIC].map((folder) => rm(folder, { recursive: true, force: true })));
await Promise.all(pages.flatMap((page) => [writePage(page), writeMarkdown(page)]));
await writeFile(`${PUBLIC}llms.txt`, llmsText());
await writeFile(OPENAPI, JSON.stringify(withHeadersOnce(JSON.parse(await readFile(OPENAPI, 'utf8')))));
await cp(new URL(`../${PICTURES}`, import.meta.url), `${PUBLIC}pictures`, { recursive: true });
await copyFile(new URL('../web/dashboard/public/favicon.svg', import.meta.url), `${PUBLIC}favicon.svg`);

async function writePage(page: Page): Promise<void> {
  const frontMatter = {
    title: page.slug === '' ? 'Recurring billing on Solana' : page.title,
    description: page.description || page.title,
    head: [{ tag: 'link', attrs: { rel: 'alternate', type: 'text/markdown', href: markdownUrlOf(page) } }],
  };
  // Front matter is YAML, and JSON is valid YAML.
  const text = `---\n${JSON.stringify(frontMatter)}\n---\n${withTextBoxes(withLinks(page, urlOf))}`;
  await write(`${CONTENT}${page.slug === '' ? 'index' : page.slug}.md`, text);
}

/** Writes checkboxes as text: Markdown would render them as inputs without a label. */
function withTextBoxes(text: string): string {
  return text.replaceAll('- [ ] ', '- ☐ ');
}

/** Writes the copy of a page as plain Markdown. */
async function writeMarkdown(page: Page): Promise<void> {
  const path = PUBLIC + markdownUrlOf(page).slice(BASE.length + 1);
  await write(path, `# ${page.title}\n${withLinks(page, markdownUrlOf)}`);
}

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}

/** The page's text with links that work on the site. A file that is not a page becomes its path. */
function withLinks(page: Page, hrefOf: (page: Page) => string): string {
  return replaceLinks(page.body, (label, link) => {
    const target = targetOf(page, link, pages);
    if (!target) return `[${label}](${link})`;
    if (target.kind === 'missing') throw new Error(`${page.file} links to ${link}, which does not exist`);
    if (target.kind === 'page') {
      return `[${label}](${hrefOf(target.page)}${target.anchor && `#${target.anchor}`})`;
    }
    if (target.path.startsWith(PICTURES)) return `[${label}](${BASE}/${target.path.slice('docs/'.length)})`;
    if (target.path === 'schema.graphql') return `[${label}](${BASE}/graphql/)`;
    const plainLabel = label.replaceAll('`', '');
    const isName = plainLabel === basename(target.path) || target.path.endsWith(plainLabel);
    return isName ? `\`${target.path}\`` : `${label} (\`${target.path}\`)`;
  });
}

function urlOf({ slug }: Page): string {
  return slug === '' ? `${BASE}/` : `${BASE}/${slug}/`;
}

function markdownUrlOf({ slug }: Page): string {
  return posix.join(BASE, `${slug === '' ? 'index' : slug}.md`);
}

/** https://llmstxt.org */
function llmsText(): string {
  const isFirst = ({ slug }: Page) => slug === '' || /^(start|guides)\//.test(slug);
  const sorted = [...pages.filter(isFirst), ...pages.filter((page) => !isFirst(page))];
  const lines = sorted.map(
    (page) => `- [${page.title}](${markdownUrlOf(page)}): ${page.description || page.title}`,
  );
  return `# dues\n\n> Recurring billing for merchants on Solana.\n\n## Documentation\n\n${lines.join('\n')}\n`;
}
