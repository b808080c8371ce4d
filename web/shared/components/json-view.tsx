import { CodeSample } from './code-sample.tsx';

/** A value as indented JSON, to read and to copy. */
export function JsonView({ value, name = 'JSON' }: { readonly value: unknown; readonly name?: string }) {
  return <CodeSample samples={[{ name, code: JSON.stringify(value, null, 2) }]} />;
}
