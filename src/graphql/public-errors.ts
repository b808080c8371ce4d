import type { GraphQLError } from 'graphql';
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
    typeof code === 'string' && OUR_CODE.test(code) ? { code, param } : { code: 'invalid_request' };
  return createGraphQLError(message, { ...place, extensions: { ...told, http } });
}

// Yoga has codes of its own, GRAPHQL_PARSE_FAILED for example: all say that the request is wrong.
const OUR_CODE = /^[a-z_]+$/;

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
      if (!valid) for (const { extensions } of result) extensions.code = 'invalid_request';
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
