import { Fragment } from 'react';

/** A text of the API, in which backticks enclose code. */
export function WithCode({ text }: { readonly text: string }) {
  return text.split('`').map((part, index) =>
    index % 2 === 0 ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text keep their order
      <Fragment key={index}>{part}</Fragment>
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text keep their order
      <code key={index} className="font-mono">
        {part}
      </code>
    ),
  );
}
