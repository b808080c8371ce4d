import {
  buildSchema,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLNamedType,
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isObjectType,
  isScalarType,
  isUnionType,
} from 'graphql';

/** A page of the GraphQL reference. */
export interface ReferencePage {
  readonly slug: string;
  readonly title: string;
  readonly description: string;
  /** Markdown without the title. */
  readonly body: string;
}

/** The first letters of the objects on each page. One page of all objects would be too long. */
const OBJECT_LETTERS = ['A-B', 'C', 'D-L', 'M-O', 'P-Q', 'R-T', 'U-Z'] as const;

/** The pages of objects. */
export const OBJECT_PAGES = OBJECT_LETTERS.map((letters) => ({
  letters,
  name: `objects-${letters.toLowerCase()}`,
  title: `Objects ${letters.replace('-', ' to ')}`,
}));

const OVERVIEW = `\`POST /graphql\` with \`Authorization: Bearer sk_…\`. [Managing by GraphQL](../api-graphql.md) has examples
to copy. [The API](../api.md) describes the keys, scopes, errors and limits.

The schema is \`schema.graphql\` in the source; introspection returns it too.

| page | |
| --- | --- |
| [Queries](queries.md) | what can be read |
| [Mutations](mutations.md) | what can be changed, with the errors of each |
| [Live updates](live-updates.md) | what can be followed by WebSocket or Server-Sent Events |
${OBJECT_PAGES.map(({ name, title }) => `| [${title}](${name}.md) | the types of results |`).join('\n')}
| [Inputs](inputs.md) | the types of arguments |
| [Enums](enums.md) | enums, unions and scalars, with every value |
| [Paging](paging.md) | pages of lists, by cursor or by number |
`;

/** Writes the reference of a schema in Markdown. Its links are relative to files in one folder. */
export function graphqlReference(sdl: string): ReferencePage[] {
  const schema = buildSchema(sdl);
  const pageOf = pagesOfTypes(schema);
  const typesOn = (page: string) =>
    [...pageOf].flatMap(([type, on]) => (on === page ? [schema.getType(type) as GraphQLNamedType] : []));
  const linked = (type: { toString(): string }) => {
    const name = String(type).replace(/[[\]!]/g, '');
    const page = pageOf.get(name);
    const code = `\`${String(type)}\``;
    return page ? `[${code}](${page}.md#${name.toLowerCase()})` : code;
  };
  const operations = (fields: Record<string, GraphQLField<unknown, unknown>> = {}) =>
    Object.values(fields)
      .map((field) => operation(field, linked))
      .join('\n');
  const types = (page: string) =>
    typesOn(page)
      .map((type) => typeText(type, linked))
      .join('\n');
  return [
    {
      slug: 'graphql/README',
      title: 'GraphQL reference',
      description: 'Every query, mutation, live update and type of the GraphQL API.',
      body: OVERVIEW,
    },
    page(
      'queries',
      'GraphQL queries',
      'What the GraphQL API can read.',
      operations(schema.getQueryType()?.getFields()),
    ),
    page(
      'mutations',
      'GraphQL mutations',
      'What the GraphQL API can change, with the errors of each mutation.',
      operations(schema.getMutationType()?.getFields()),
    ),
    page(
      'live-updates',
      'GraphQL subscriptions',
      'What can be followed live, by WebSocket or Server-Sent Events.',
      operations(schema.getSubscriptionType()?.getFields()),
    ),
    ...OBJECT_PAGES.map(({ name, title }) =>
      page(
        name,
        `GraphQL ${title.replace('O', 'o')}`,
        'The types of results in the GraphQL API.',
        types(name),
      ),
    ),
    page('inputs', 'GraphQL inputs', 'The types of arguments in the GraphQL API.', types('inputs')),
    page(
      'enums',
      'GraphQL enums, unions and scalars',
      'Every value of every enum in the GraphQL API.',
      types('enums'),
    ),
    page('paging', 'GraphQL paging', 'The types of pages of lists in the GraphQL API.', types('paging')),
  ];
}

function page(name: string, title: string, description: string, body: string): ReferencePage {
  return { slug: `graphql/${name}`, title, description, body: `${description}\n\n${body}` };
}

/** The page of each type. Root types and GraphQL's introspection types have none. */
function pagesOfTypes(schema: GraphQLSchema): Map<string, string> {
  const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];
  const types = Object.values(schema.getTypeMap()).filter(
    (type) => !type.name.startsWith('__') && !roots.includes(type as never),
  );
  return new Map(
    types.map((type) => {
      if (/(Connection|Edge|PageInfo|Pagination)$/.test(type.name)) return [type.name, 'paging'];
      if (isInputObjectType(type)) return [type.name, 'inputs'];
      return [type.name, isObjectType(type) ? objectPage(type.name) : 'enums'];
    }),
  );
}

function objectPage(type: string): string {
  const page = OBJECT_PAGES.find(({ letters: [first = '', , last = first] }) => {
    const letter = type.charAt(0).toUpperCase();
    return letter >= first && letter <= last;
  });
  if (!page) throw new Error(`No page of objects is for ${type}`);
  return page.name;
}

type Linked = (type: { toString(): string }) => string;

function operation(field: GraphQLField<unknown, unknown>, linked: Linked): string {
  const scopes = [...directivesOf(field).matchAll(/@requiresScope\(scope: (\w+)\)/g)].map(
    ([, scope = '']) => `\`${scope.toLowerCase()}\``,
  );
  const needs = scopes.length > 1 ? `the scopes ${scopes.join(' and ')}` : `the scope ${scopes[0]}`;
  const [description = '', errors] = (field.description ?? '').split(/\s*Errors: /);
  return [
    `## ${field.name}\n`,
    `${escapeMarkdown(description)}\n`,
    `Returns ${linked(field.type)}. ${scopes.length > 0 ? `Needs ${needs}.` : 'Needs no key.'}\n`,
    ...(errors ? [`**Errors:** ${escapeMarkdown(errors)}\n`] : []),
    ...(field.args.length > 0 ? [table('argument', field.args, linked)] : []),
  ].join('\n');
}

function directivesOf({ astNode }: GraphQLField<unknown, unknown>): string {
  const directives = astNode?.directives?.map(({ name, arguments: args = [] }) => {
    const values = args.map(
      ({ name: argument, value }) => `${argument.value}: ${'value' in value ? value.value : ''}`,
    );
    return `@${name.value}(${values.join(', ')})`;
  });
  return directives?.join(' ') ?? '';
}

function typeText(type: GraphQLNamedType, linked: Linked): string {
  const head = `## ${type.name}\n\n${escapeMarkdown(type.description ?? '')}\n`;
  if (isObjectType(type)) return `${head}\n${table('field', Object.values(type.getFields()), linked)}`;
  if (isInputObjectType(type)) return `${head}\n${table('field', Object.values(type.getFields()), linked)}`;
  if (isUnionType(type)) return `${head}\nOne of ${type.getTypes().map(linked).join(', ')}.\n`;
  if (isScalarType(type) || !isEnumType(type)) return head;
  const rows = type.getValues().map(({ name, description }) => `| \`${name}\` | ${cell(description)} |`);
  return `${head}\n| value | |\n| --- | --- |\n${rows.join('\n')}\n`;
}

type Field = GraphQLField<unknown, unknown> | GraphQLArgument | GraphQLInputField;

function table(title: string, fields: readonly Field[], linked: Linked): string {
  const rows = fields.map((field) => {
    const args =
      'args' in field && field.args.length > 0 ? `(${field.args.map(({ name }) => name).join(', ')})` : '';
    return `| \`${field.name}${args}\` | ${linked(field.type)} | ${cell(field.description)} |`;
  });
  return `| ${title} | type | |\n| --- | --- | --- |\n${rows.join('\n')}\n`;
}

function cell(text: string | null | undefined): string {
  return escapeMarkdown(text ?? '').replaceAll('|', '\\|');
}

/** Escapes Markdown except code between backticks, and joins the text into one line. */
function escapeMarkdown(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .split('`')
    .map((part, index) => (index % 2 === 0 ? part.replace(/[<*_[\]]/g, '\\$&') : `\`${part}\``))
    .join('');
}
