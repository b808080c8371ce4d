import { html } from 'hono/html';
import type { OpenApiDocument } from '../openapi-document.ts';
import { type Described, type Field, fieldsOf, type Schema, schemaIn, typeOf } from './docs-schema.ts';
import type { Html } from './layout.ts';

/** The whole description: every tag with its routes, their parameters, bodies and answers. */
export function docsContent(document: OpenApiDocument): Html {
  const { info, servers, tags = [] } = document;
  const groups = tags.map(({ name, description }) => ({
    ...{ name, description },
    operations: operationsOf(document, name),
  }));
  return html`<main>
<h1>${info.title}: the REST API</h1>
${(info.description ?? '').split('\n\n').map((paragraph) => html`<p>${inCode(paragraph)}</p>`)}
<p class="soft">At <code>${servers?.[0]?.url}</code>; for machines <a href="/openapi.json">openapi.json</a></p>
<nav aria-label="Routes">${groups.map(
    ({ name, operations }) =>
      html`<div><a href="#${name}">${name}</a><ul>${operations.map(
        ({ described, ...route }) => html`<li><a href="#${described.operationId}">${routeOf(route)}</a></li>`,
      )}</ul></div>`,
  )}</nav>
${groups.map(
  ({ name, description, operations }) => html`
<h2 id="${name}">${name}</h2>
<p class="soft">${description}</p>
${operations.map((operation) => article(document, operation))}`,
)}
</main>`;
}

interface Operation {
  readonly method: string;
  readonly path: string;
  readonly described: Described;
}

function operationsOf({ paths = {} }: OpenApiDocument, tag: string): Operation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods as Record<string, Described>)
      .filter(([, described]) => described.tags?.includes(tag))
      .map(([method, described]) => ({ method: method.toUpperCase(), path, described })),
  );
}

function routeOf({ method, path }: Pick<Operation, 'method' | 'path'>): Html {
  return html`<span class="method ${method.toLowerCase()}">${method}</span> <span class="path">${path}</span>`;
}

function article(document: OpenApiDocument, operation: Operation): Html {
  const { summary, description, parameters = [], requestBody, responses, operationId } = operation.described;
  const body = schemaIn(document, requestBody);
  const given = schemaIn(document, responses['200']);
  return html`<article id="${operationId}">
<h3>${routeOf(operation)}</h3>
<p class="soft">${keyFor(operation.described)}</p>
<p><strong>${summary}.</strong> ${inCode(description ?? '')}</p>
${table(
  'Parameters',
  parameters.map(({ name, in: place, required, schema, description: words }) => ({
    name,
    type: `${typeOf(document, schema)} in the ${place}`,
    isRequired: required === true,
    words: words ?? schema.description ?? '',
  })),
)}
${body && table('Body', fieldsOf(document, body))}
${body?.example === undefined ? '' : code(body)}
<h4>200</h4>
<p>${responses['200']?.description}.</p>
${given && table('', fieldsOf(document, given))}
${given?.example === undefined ? '' : code(given)}
<details><summary>Refusals</summary>
<table>${Object.entries(responses)
    .filter(([status]) => status !== '200')
    .map(
      ([status, { description: words }]) =>
        html`<tr><th scope="row">${status}</th><td>${inCode(words)}</td></tr>`,
    )}</table></details>
</article>`;
}

/** Which of the ways in there are: with a key, without one, or both. */
function keyFor({ security = [] }: Described): string {
  const isOpen = security.some((way) => Object.keys(way as object).length === 0);
  if (!isOpen) return 'API key';
  return security.length > 1 ? 'API key, or none' : 'No API key';
}

function table(title: string, fields: readonly Field[]): Html | '' {
  if (fields.length === 0) return '';
  return html`${title === '' ? '' : html`<h4>${title}</h4>`}<table class="fields">${fields.map(
    ({ name, type, isRequired, words }) =>
      html`<tr><th scope="row"><code>${name}</code></th><td>${type}${isRequired ? '' : ', optional'}</td><td>${inCode(words)}</td></tr>`,
  )}</table>`;
}

function code({ example }: Schema): Html {
  return html`<pre tabindex="0">${JSON.stringify(example, null, 2)}</pre>`;
}

/** What stands between backticks is code. */
function inCode(text: string): (string | Html)[] {
  return text.split('`').map((part, index) => (index % 2 === 0 ? part : html`<code>${part}</code>`));
}
