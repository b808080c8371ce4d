import { OBJECT_PAGES } from './graphql-reference.ts';
import type { Page } from './pages.ts';

type Entry = string | { readonly slug: string; readonly label: string };
interface Group {
  readonly label: string;
  readonly collapsed?: boolean;
  readonly items: readonly (Entry | Group)[];
}

const START = ['start/merchant', 'start/customer-app', 'start/operator', 'start/contributor'];
const GUIDES = [
  'guides/first-subscription',
  'guides/webhooks-in-six-languages',
  'guides/access',
  'guides/test-clocks',
  'guides/going-live',
  'guides/from-stripe-billing',
  'guides/migrate-away',
];
const REFERENCE = ['api', 'webhooks', 'api-live', 'api-graphql', 'dashboard', 'dashboard-sign-in'];
const OPERATE = [
  'deployment',
  'high-availability',
  'restore',
  'postgresql',
  'updating',
  'operations',
  'dangers',
  'scale',
  'benchmarks',
  'chaos',
];
const CONTRIBUTE = [
  'contributing',
  'walkthrough',
  'architecture',
  'style',
  'contract',
  'local-network',
  'security',
  'changelog',
];
const GRAPHQL = [
  ['graphql', 'Overview'],
  ['graphql/queries', 'Queries'],
  ['graphql/mutations', 'Mutations'],
  ['graphql/live-updates', 'Live updates'],
  ...OBJECT_PAGES.map(({ name, title }) => [`graphql/${name}`, title] as const),
  ['graphql/inputs', 'Inputs'],
  ['graphql/enums', 'Enums'],
  ['graphql/paging', 'Paging'],
] as const;

/**
 * The navigation. A page that is in none of the lists is put into a group named after its folder, or
 * under "Features".
 *
 * @param restGroups the groups of the REST reference
 */
export function sidebar<T>(pages: readonly Page[], restGroups: readonly T[]): (Group | T)[] {
  const listed = new Set(['', ...START, ...GUIDES, ...REFERENCE, ...OPERATE, ...CONTRIBUTE]);
  const others = pages.filter(({ slug }) => !listed.has(slug));
  const folders = Map.groupBy(others, ({ slug }) => (slug.includes('/') ? slug.split('/')[0] : slug));
  const groups = [...folders].flatMap(([folder = '', inside]) => {
    const isFolder = inside.some(({ slug }) => slug.includes('/'));
    return isFolder ? [group(capitalize(folder), slugsOf(inside), true)] : [];
  });
  const features = others.filter(
    ({ slug }) => !slug.includes('/') && !others.some((other) => other.slug.startsWith(`${slug}/`)),
  );
  return [
    group('Start', START),
    group('Guides', GUIDES),
    group('Features', slugsOf(features)),
    group('API', REFERENCE),
    ...restGroups,
    { label: 'GraphQL reference', collapsed: true, items: GRAPHQL.map(([slug, label]) => ({ slug, label })) },
    group('Operate', OPERATE),
    group('Contribute', CONTRIBUTE),
    ...groups,
  ];
}

function group(label: string, items: readonly string[], collapsed = false): Group {
  return { label, collapsed, items };
}

function slugsOf(pages: readonly Page[]): string[] {
  return pages.map(({ slug }) => slug).sort();
}

function capitalize(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
