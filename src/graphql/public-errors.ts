import { type ASTNode, type DocumentNode, type GraphQLError, type GraphQLSchema, Kind } from 'graphql';
import { createGraphQLError, handleStreamOrSingleExecutionResult, type Plugin } from 'graphql-yoga';
import { INTERNAL_ERROR, publicError } from '../http/error-response.ts';
import type { Logger } from '../log.ts';
import { argumentPlaces } from './argument-places.ts';
import type { GraphqlContext } from './context.ts';
import { paramFor } from './param-for.ts';
import { wrongVariables } from './wrong-variables.ts';

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
      : { code: 'invalid_request', param: param ?? paramOf(error) };
  return createGraphQLError(withoutSuggestions(message), { ...place, extensions: { ...told, http } });
}

// Yoga has codes of its own, GRAPHQL_PARSE_FAILED for example: all say that the request is wrong.
const OUR_CODE = /^[a-z_]+$/;

/** What GraphQL finds wrong on its own is the body that no document was found in, or the document. */
function paramOf({ extensions }: GraphQLError): string {
  return extensions.code === 'BAD_REQUEST' ? 'body' : 'query';
}

// GraphQL helps whoever mistypes a name: strangers would read the schema out of that, and merchants have it.
function withoutSuggestions(message: string): string {
  return message.replace(/ Did you mean .*\?$/s, '');
}

// GraphQL names the enum only, and that in words only.
function withEnumValues(schema: GraphQLSchema, message: string): string {
  const [, name = ''] = /(?: in |^Enum |; Enum )"(\w+)"(?: enum\.$| cannot represent )/.exec(message) ?? [];
  const type = schema.getType(name);
  if (!type || !('getValues' in type)) return message;
  const values = type.getValues().map((value) => value.name);
  return `${message} It must be one of ${values.join(', ')}.`;
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

/** Says of each error of a document which argument it is about; of several about one field, of one after the other. */
function paramsOfDocument(
  schema: GraphQLSchema,
  document: DocumentNode,
): (error: Pick<GraphQLError, 'nodes'>) => string {
  const places = argumentPlaces(schema, document);
  const told = new Map<ASTNode, number>();
  return ({ nodes }) => {
    const [node] = nodes ?? [];
    if (!node) return 'query';
    const times = told.get(node) ?? 0;
    told.set(node, times + 1);
    return paramFor(places.missingIn(node)[times] ?? places.pathOf(node));
  };
}

/** Does so for every result, where the request that it belongs to is still known. */
export const publicErrors: Plugin<GraphqlContext> = {
  // These come neither by an execution nor by the masking of errors.
  onValidate:
    ({ params }) =>
    ({ valid, result }) => {
      if (valid) return;
      const paramIn = paramsOfDocument(params.schema, params.documentAST);
      for (const error of result) {
        error.message = withEnumValues(params.schema, withoutSuggestions(error.message));
        Object.assign(error.extensions, { code: 'invalid_request', param: paramIn(error) });
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
  // Where a variable is wrong nothing has run, and all errors are about variables.
  const variables = isAboutVariable(result.errors[0]) ? wrongVariables(args) : [];
  const errors = result.errors.map((error, index) => {
    if (!isAboutVariable(error)) return publicGraphqlError(error, log);
    error.extensions.param = paramFor(variables[index]);
    const told = publicGraphqlError(error, log);
    told.message = withEnumValues(args.schema, told.message);
    return told;
  });
  setResult({ ...result, errors });
};

function isAboutVariable(error: GraphQLError | undefined): boolean {
  return error?.nodes?.[0]?.kind === Kind.VARIABLE_DEFINITION;
}
