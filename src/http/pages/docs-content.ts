import { html } from 'hono/html';
import type { OpenApiDocument } from '../openapi-document.ts';
import { type Described, type Field, fieldsOf, type Schema, schemaIn, typeOf } from './docs-schema.ts';
import type { Html } from './layout.ts';

/** The whole description: every tag with its routes, their parameters, bodies and answers. */
export function docsContent(document: OpenApiDocument): Html {
  const { info, servers, tags = [] } = document;
  return html`<main>
<h1>${info.title}: the REST API</h1>
${(info.description ?? '').split('\n\n').map((paragraph) => html`<p>${inCode(paragraph)}</p>`)}
<p class="soft">At <code>${servers?.[0]?.url}</code>; for machines <a href="/openapi.json">openapi.json</a></p>
${tags.map(
  ({ name, description }) => html`
<h2 id="${name}">${name}</h2>
<p class="soft">${description}</p>
${operationsOf(document, name).map((operation) => article(document, operation))}`,
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

function article(document: OpenApiDocument, { method, path, described }: Operation): Html {
  const { summary, description, parameters = [], requestBody, responses, security } = described;
  const body = schemaIn(document, requestBody);
  const given = schemaIn(document, responses['200']);
  return html`<article id="${described.operationId}">
<h3>${method} ${path}</h3>
<p><strong>${summary}.</strong> ${inCode(description ?? '')}${security?.length === 0 ? '' : html` <span class="soft">Authorization: Bearer.</span>`}</p>
${table(
  'Parameters',
  parameters.map(({ name, in: place, required, schema, description: words }) => ({
    name: `${name} (${place})`,
    type: typeOf(document, schema),
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
<h4>Otherwise</h4>
<table>${Object.entries(responses)
    .filter(([status]) => status !== '200')
    .map(
      ([status, { description: words }]) => html`<tr><td>${status}</td><td>${inCode(words)}</td></tr>`,
    )}</table>
</article>`;
}

function table(title: string, fields: readonly Field[]): Html | '' {
  if (fields.length === 0) return '';
  return html`${title === '' ? '' : html`<h4>${title}</h4>`}<table>${fields.map(
    ({ name, type, isRequired, words }) =>
      html`<tr><td><code>${name}</code></td><td>${type}${isRequired ? '' : ', optional'}</td><td>${inCode(words)}</td></tr>`,
  )}</table>`;
}

function code({ example }: Schema): Html {
  return html`<pre>${JSON.stringify(example, null, 2)}</pre>`;
}

/** What stands between backticks is code. */
function inCode(text: string): (string | Html)[] {
  return text.split('`').map((part, index) => (index % 2 === 0 ? part : html`<code>${part}</code>`));
}
