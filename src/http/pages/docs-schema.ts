import type { OpenApiDocument } from '../openapi-document.ts';

/** As much of OpenAPI's schemas as ours have. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly anyOf?: readonly Schema[];
  readonly description?: string;
  readonly example?: unknown;
}

interface WithContent {
  readonly description: string;
  readonly content?: Readonly<Record<string, { readonly schema: Schema }>>;
}

/** A route as the document describes it. */
export interface Described {
  readonly operationId?: string;
  readonly tags?: readonly string[];
  readonly summary?: string;
  readonly description?: string;
  readonly security?: readonly unknown[];
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly required?: boolean;
    readonly description?: string;
    readonly schema: Schema;
  }[];
  readonly requestBody?: WithContent;
  readonly responses: Readonly<Record<string, WithContent>>;
}

/** One line of a table. */
export interface Field {
  readonly name: string;
  readonly type: string;
  readonly isRequired: boolean;
  readonly words: string;
}

/** What a body or an answer holds; undefined where there is none. Of several shapes the first, which has the most. */
export function schemaIn(document: OpenApiDocument, holder: WithContent | undefined): Schema | undefined {
  const [content] = Object.values(holder?.content ?? {});
  const schema = content && resolved(document, content.schema);
  const [first] = schema?.anyOf ?? [];
  return first ? resolved(document, first) : schema;
}

export function fieldsOf(document: OpenApiDocument, { properties = {}, required = [] }: Schema): Field[] {
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    type: typeOf(document, schema),
    isRequired: required.includes(name),
    words: resolved(document, schema).description ?? '',
  }));
}

/** In a few words: `string or null`, `Subscription[]`, `open | completed | expired`. */
export function typeOf(document: OpenApiDocument, schema: Schema): string {
  if (schema.$ref) return nameOf(schema.$ref);
  const { type, enum: values, items, const: only, anyOf } = schema;
  if (values) return values.join(' | ');
  if (only !== undefined) return String(only);
  if (anyOf) return anyOf.map((each) => typeOf(document, each)).join(' or ');
  if (items) return `${typeOf(document, items)}[]`;
  return [type ?? 'any'].flat().join(' or ');
}

function resolved({ components }: OpenApiDocument, schema: Schema): Schema {
  if (!schema.$ref) return schema;
  return (components?.schemas?.[nameOf(schema.$ref)] ?? {}) as Schema;
}

function nameOf(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1);
}
