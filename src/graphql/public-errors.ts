import { type GraphQLError, Kind } from 'graphql';
import { createGraphQLError, handleStreamOrSingleExecutionResult, type Plugin } from 'graphql-yoga';
import { INTERNAL_ERROR, publicError } from '../http/error-response.ts';
import type { Logger } from '../log.ts';
import type { GraphqlContext } from './context.ts';

/**
 * An error as the outside sees it: a fact with its code and param, GraphQL's own words about the document, and of
 * anything else only that it happened. That is logged.
 */
export function publicGraphqlError(error: unknown, log: Logger): GraphQLError {
  if (!isGraphqlError(error)) return masked(error, {}, log);
  const { message, nodes, source, positions, path, originalError } = error;
  const place = { nodes, source, positions, path };
  if (originalError && !isGraphqlError(originalError)) return masked(originalError, place, log);
  const { code, param, http } = error.extensions;
  const told =
    typeof code === 'string' && OUR_CODE.test(code)
      ? { code, param }
      : { code: 'invalid_request', param: paramOf(error) };
  return createGraphQLError(withoutSuggestions(message), { ...place, extensions: { ...told, http } });
}

// Yoga has codes of its own, GRAPHQL_PARSE_FAILED for example: all say that the request is wrong.
const OUR_CODE = /^[a-z_]+$/;

/** What GraphQL finds wrong is the body that no document was found in, a variable, which its error points at, or the document. */
function paramOf({ nodes, extensions }: GraphQLError): string {
  if (extensions.code === 'BAD_REQUEST') return 'body';
  const [node] = nodes ?? [];
  return node?.kind === Kind.VARIABLE_DEFINITION ? node.variable.name.value : 'query';
}

// GraphQL helps whoever mistypes a name: strangers would read the schema out of that, and merchants have it.
function withoutSuggestions(message: string): string {
  return message.replace(/ Did you mean .*\?$/s, '');
}

function masked(cause: unknown, place: Pick<GraphQLError, 'path'> | object, log: Logger): GraphQLError {
  const fact = publicError(cause);
  if (!fact) log.error({ err: cause, ...('path' in place && { path: place.path }) }, 'resolver failed');
  const { message, ...extensions } = fact ?? INTERNAL_ERROR;
  return createGraphQLError(message, { ...place, extensions });
}

// By its name: bundlers and test runners load graphql twice, as a module and as CommonJS, and both are meant.
function isGraphqlError(error: unknown): error is GraphQLError {
  return error instanceof Error && error.name === 'GraphQLError';
}

/** Does so for every result, where the request that it belongs to is still known. */
export const publicErrors: Plugin<GraphqlContext> = {
  // These come neither by an execution nor by the masking of errors.
  onValidate:
    () =>
    ({ valid, result }) => {
      if (valid) return;
      for (const error of result) {
        error.message = withoutSuggestions(error.message);
        Object.assign(error.extensions, { code: 'invalid_request', param: 'query' });
      }
    },
  onExecute: () => ({
    onExecuteDone: (payload) => handleStreamOrSingleExecutionResult(payload, toPublic),
  }),
  onSubscribe: () => ({
    onSubscribeResult: (payload) => handleStreamOrSingleExecutionResult(payload, toPublic),
  }),
};

const toPublic: Parameters<typeof handleStreamOrSingleExecutionResult<GraphqlContext>>[1] = ({
  args,
  result,
  setResult,
}) => {
  if (!result.errors) return;
  const { app, requestId } = args.contextValue;
  const log = app.log.child({ requestId });
  setResult({ ...result, errors: result.errors.map((error) => publicGraphqlError(error, log)) });
};
