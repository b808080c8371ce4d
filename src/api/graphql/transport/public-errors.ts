import {
  type ASTNode,
  createSourceEventStream,
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
  execute,
  type GraphQLError,
  type GraphQLSchema,
  getOperationAST,
  Kind,
  OperationTypeNode,
} from 'graphql';
import { createGraphQLError, isAsyncIterable, mapAsyncIterator, type Plugin } from 'graphql-yoga';
import type { Logger } from '../../../observability/log.ts';
import { isTemporary, maskedError, maskedResultError, publicError } from '../../errors/error-response.ts';
import { argumentPaths } from '../arguments/argument-paths.ts';
import { invalidVariables } from '../arguments/invalid-variables.ts';
import { paramFor } from '../arguments/param-for.ts';
import type { GraphqlContext } from '../context.ts';
import { topFields } from '../plugins/count-operation.ts';

/**
 * Converts an error to its public form. A BillingError keeps its code and param, and GraphQL's
 * errors about the document keep their message. Any other error is logged, and masked by `mask`.
 */
export function publicGraphqlError(error: unknown, log: Logger, mask = maskedError): GraphQLError {
  if (!isGraphqlError(error)) return masked(error, {}, log, mask);
  const { message, nodes, source, positions, path, originalError } = error;
  const location = { nodes, source, positions, path };
  if (originalError && !isGraphqlError(originalError)) return masked(originalError, location, log, mask);
  const { code, param, http } = error.extensions;
  const fields =
    typeof code === 'string' && OUR_CODE.test(code)
      ? { code, param }
      : { code: 'invalid_request', param: param ?? paramOf(error) };
  return createGraphQLError(withoutSuggestions(message), { ...location, extensions: { ...fields, http } });
}

// Yoga has its own codes, for example GRAPHQL_PARSE_FAILED; all mean an invalid request.
const OUR_CODE = /^[a-z_]+$/;

/** Param of GraphQL's own errors: `body` if the request holds no document, otherwise `query`. */
function paramOf({ extensions }: GraphQLError): string {
  return extensions.code === 'BAD_REQUEST' ? 'body' : 'query';
}

// GraphQL suggests names after a typo. They would reveal the schema to anonymous callers.
function withoutSuggestions(message: string): string {
  return message.replace(/ Did you mean .*\?$/s, '');
}

// GraphQL's message names the enum but not its values.
function withEnumValues(schema: GraphQLSchema, message: string): string {
  const [, name = ''] = /(?: in |^Enum |; Enum )"(\w+)"(?: enum\.$| cannot represent )/.exec(message) ?? [];
  const type = schema.getType(name);
  if (!type || !('getValues' in type)) return message;
  const values = type.getValues().map((value) => value.name);
  return `${message} It must be one of ${values.join(', ')}.`;
}

function masked(
  cause: unknown,
  location: Pick<GraphQLError, 'path'> | object,
  log: Logger,
  mask: typeof maskedError,
): GraphQLError {
  const known = publicError(cause);
  if (!known)
    log.error({ err: cause, ...('path' in location && { path: location.path }) }, 'resolver failed');
  const { message, ...extensions } = known ?? mask(cause);
  return createGraphQLError(message, { ...location, extensions });
}

// Compares by name: bundlers and test runners may load graphql as ESM and as CommonJS.
function isGraphqlError(error: unknown): error is GraphQLError {
  return error instanceof Error && error.name === 'GraphQLError';
}

/**
 * Finds the param of each error of a document. If several errors concern one field, each gets the
 * next of its missing arguments.
 */
function paramsOfDocument(
  schema: GraphQLSchema,
  document: DocumentNode,
): (error: Pick<GraphQLError, 'nodes'>) => string {
  const paths = argumentPaths(schema, document);
  const timesSeen = new Map<ASTNode, number>();
  return ({ nodes }) => {
    const [node] = nodes ?? [];
    if (!node) return 'query';
    const times = timesSeen.get(node) ?? 0;
    timesSeen.set(node, times + 1);
    return paramFor(paths.missingIn(node)[times] ?? paths.pathOf(node));
  };
}

/** Adds code and param to every error at the stages where the request's document is known. */
export const publicErrors: Plugin<GraphqlContext> = {
  // Validation errors pass neither through execution nor through error masking.
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
    onExecuteDone: ({ args, result, setResult }) => {
      if (!isAsyncIterable(result)) setResult(publicResult(args, result));
    },
  }),
  // With a result, Yoga leaves out its own executor and the hooks after this one. Their iterators
  // around the stream would cost 5 KB of memory for each live subscription.
  onSubscribe: async ({ args, setResultAndStopExecution }) =>
    setResultAndStopExecution(await publicStream(args)),
};

type Args = ExecutionArgs & { readonly contextValue: GraphqlContext };

/** Starts a subscription. Its results, and the error that ends it, are public. */
async function publicStream(args: Args): Promise<AsyncIterableIterator<ExecutionResult> | ExecutionResult> {
  const events = await createSourceEventStream(args).catch((error) => ({ errors: [error] }));
  if (!isAsyncIterable(events)) return publicResult(args, events);
  return mapAsyncIterator(
    events,
    async (event) => publicResult(args, await execute({ ...args, rootValue: event })),
    (error: unknown) => {
      throw publicGraphqlError(error, args.contextValue.app.log);
    },
  );
}

function publicResult(args: Args, result: ExecutionResult): ExecutionResult {
  if (!result.errors) return result;
  const { app, requestId } = args.contextValue;
  const log = app.log.child({ requestId });
  // If a variable is invalid, nothing has run and all errors are about variables.
  const variables = isAboutVariable(result.errors[0]) ? invalidVariables(args) : [];
  const isMutation =
    getOperationAST(args.document, args.operationName)?.operation === OperationTypeNode.MUTATION;
  // An error below the field of a mutation happened after the change, while its result was read.
  const isResultError = ({ path = [] }: GraphQLError) => isMutation && path.length > 1;
  // If one of several mutations fails, others may have made their change.
  const mayRepeat = !isMutation || topFields(args.document, args.operationName).size === 1;
  if (
    mayRepeat &&
    result.errors.every((error) => isTemporary(error.originalError) && !isResultError(error))
  ) {
    args.contextValue.onTemporaryFailure?.();
  }
  const errors = result.errors.map((error, index) => {
    if (!isAboutVariable(error)) {
      return publicGraphqlError(error, log, isResultError(error) ? maskedResultError : maskedError);
    }
    Object.assign(error.extensions, { param: paramFor(variables[index]), http: { status: 400 } });
    const shown = publicGraphqlError(error, log);
    shown.message = withEnumValues(args.schema, shown.message);
    return shown;
  });
  return { ...result, errors };
}

function isAboutVariable(error: GraphQLError | undefined): boolean {
  return error?.nodes?.[0]?.kind === Kind.VARIABLE_DEFINITION;
}
