import { setImmediate } from 'node:timers/promises';
import { type ExecutionResult, print } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import type { GraphqlContext } from '../context.ts';
import { topFields } from '../plugins/count-operation.ts';

/** Answers that are kept. Those of the schema's usual readers are a few, of 300 KB each. */
const MAX_KEPT = 4;

/** A result with its text, which Yoga sends as it is. */
interface ResultWithText extends ExecutionResult {
  readonly stringify: () => string;
}

interface Kept {
  /** The document without comments and without its own white space. */
  readonly printed: string;
  readonly operationName: string | null | undefined;
  readonly result: ResultWithText;
}

/**
 * Keeps the answers to operations that ask only for the schema, which never changes: their fields
 * and their text are made once. Documents with variables are executed each time. Operations that
 * read the schema are executed one per pass of the event loop, because each takes several
 * milliseconds: other callers are served between them.
 */
export function keptIntrospection(): Plugin<GraphqlContext> {
  let kept: Kept[] = [];
  let last: Promise<unknown> = Promise.resolve();
  const turn = () => {
    last = last.then(() => setImmediate());
    return last;
  };
  return {
    onExecute: async ({ args: { document, operationName, variableValues }, setResultAndStopExecution }) => {
      const names = [...topFields(document, operationName).values()];
      if (!names.some(isOfSchema)) return;
      const isKeepable =
        names.every((name) => name.startsWith('__')) && Object.keys(variableValues ?? {}).length === 0;
      const printed = isKeepable ? print(document) : undefined;
      const find = () =>
        kept.find((each) => each.printed === printed && each.operationName === operationName);
      if (!find()) await turn();
      const found = find();
      if (found) return setResultAndStopExecution(found.result);
      if (printed === undefined) return;
      return {
        onExecuteDone: async ({ result, setResult }) => {
          if (!('data' in result) || result.errors) return;
          await turn();
          const text = JSON.stringify(result);
          const withText = { ...result, stringify: () => text };
          kept = [...kept.slice(1 - MAX_KEPT), { printed, operationName, result: withText }];
          setResult(withText);
        },
      };
    },
  };
}

function isOfSchema(name: string): boolean {
  return name === '__schema' || name === '__type';
}
