import type { DocumentNode, ExecutionResult } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import type { GraphqlContext } from './context.ts';
import { topFields } from './count-operation.ts';

/** Answers that are kept. Those of the schema's usual readers are a few, of 300 KB each. */
const MAX_KEPT = 4;

/** A result with its text, which Yoga sends as it is. */
interface ResultWithText extends ExecutionResult {
  readonly stringify: () => string;
}

interface Kept {
  readonly document: DocumentNode;
  readonly operationName: string | null | undefined;
  readonly result: ResultWithText;
}

/**
 * Keeps the answers to operations that ask only for the schema, which never changes: their fields
 * and their text are made once. A document that is sent again is the same object, because parsed
 * documents are cached. Documents with variables are executed each time.
 */
export function keptIntrospection(): Plugin<GraphqlContext> {
  let kept: Kept[] = [];
  return {
    onExecute: ({ args: { document, operationName, variableValues }, setResultAndStopExecution }) => {
      const names = [...topFields(document, operationName).values()];
      const isKeepable = names.some(isOfSchema) && names.every((name) => name.startsWith('__'));
      if (!isKeepable || Object.keys(variableValues ?? {}).length > 0) return;
      const found = kept.find((each) => each.document === document && each.operationName === operationName);
      if (found) return setResultAndStopExecution(found.result);
      return {
        onExecuteDone: ({ result, setResult }) => {
          if (!('data' in result) || result.errors) return;
          const text = JSON.stringify(result);
          const withText = { ...result, stringify: () => text };
          kept = [...kept.slice(1 - MAX_KEPT), { document, operationName, result: withText }];
          setResult(withText);
        },
      };
    },
  };
}

function isOfSchema(name: string): boolean {
  return name === '__schema' || name === '__type';
}
