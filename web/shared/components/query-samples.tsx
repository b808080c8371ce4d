import { environment } from '../api/environment.ts';
import { labels } from '../text/labels.ts';
import { CodeSample } from './code-sample.tsx';

/** A query that the page sends. */
export interface PageQuery {
  readonly document: { toString(): string };
  readonly variables: unknown;
}

/** Queries as GraphQL, as variables, and as a command. */
export function QuerySamples({ queries }: { readonly queries: readonly PageQuery[] }) {
  return (
    <div className="grid gap-3">
      {queries.map(({ document, variables }) => (
        <CodeSample key={document.toString()} samples={samplesOf(document.toString(), variables)} />
      ))}
    </div>
  );
}

function samplesOf(source: string, variables: unknown) {
  const query = removeIndent(source);
  const body = JSON.stringify({ query: query.replace(/\s+/g, ' '), variables });
  return [
    { name: 'GraphQL', code: query },
    { name: labels.variables, code: JSON.stringify(variables, null, 2) },
    {
      name: 'curl',
      code: [
        `curl ${location.origin}/graphql \\`,
        `  -H "Authorization: Bearer $DUES_${environment.toUpperCase()}_KEY" \\`,
        "  -H 'Content-Type: application/json' \\",
        `  -d '${body.replaceAll("'", String.raw`'\''`)}'`,
      ].join('\n'),
    },
  ];
}

function removeIndent(source: string): string {
  const lines = source.replace(/^\n|\s+$/g, '').split('\n');
  const indent = Math.min(...lines.filter(Boolean).map((line) => line.length - line.trimStart().length));
  return lines.map((line) => line.slice(indent)).join('\n');
}
