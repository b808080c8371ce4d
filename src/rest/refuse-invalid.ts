import type { Hook } from '@hono/zod-openapi';
import type { z } from 'zod';
import { invalidRequest } from '../errors.ts';
import type { ApiEnv } from '../http/api-env.ts';
import { JSON_ONLY } from '../http/error-response.ts';
import { listed } from './only-these.ts';

/** More than that nobody reads at once. */
const MAX_PROBLEMS = 10;
/** Of a name that we do not know: it is the caller's, and of any length. */
const MAX_NAME = 100;

interface Problem {
  readonly param: string;
  readonly message: string;
}

/** Tells callers everything that a schema finds wrong with what they sent; `param` names the first of it. */
// biome-ignore lint/suspicious/noExplicitAny: what hono's own default hook is typed as
export const refuseInvalid: Hook<any, ApiEnv, any, any> = (result, c) => {
  if (result.success) return;
  // A body of any other type was not even read.
  if (result.target === 'json' && !/^application\/json *(;|$)/i.test(c.req.header('content-type') ?? '')) {
    throw invalidRequest('Content-Type', JSON_ONLY);
  }
  const { issues } = result.error as z.ZodError;
  const { data } = result as { readonly data?: unknown };
  const problems = issues.flatMap((issue) => problemsOf(issue, data)).slice(0, MAX_PROBLEMS);
  const [first] = problems;
  if (!first) throw new Error('a schema refused something without saying why');
  throw invalidRequest(first.param, problems.map(({ message }) => message).join(' '));
};

function problemsOf(issue: z.core.$ZodIssue, sent: unknown): Problem[] {
  if (issue.path.length === 0 && issue.code === 'unrecognized_keys') {
    const names = issue.keys.slice(0, MAX_PROBLEMS).map((key) => key.slice(0, MAX_NAME) || 'body');
    const are = names.length > 1 ? 'are' : 'is';
    return [
      { param: names[0] ?? 'body', message: `${listed(names)} ${are} not known here, ${issue.message}.` },
    ];
  }
  if (issue.path.length === 0) return [{ param: 'body', message: 'The body must be a JSON object.' }];
  const param = issue.path.join('.');
  return [{ param, message: `${param} ${isMissing(issue, sent) ? 'is required' : wordsFor(issue)}.` }];
}

function isMissing({ path }: z.core.$ZodIssue, sent: unknown): boolean {
  const [name] = path;
  return typeof sent === 'object' && sent !== null && name !== undefined && !Object.hasOwn(sent, name);
}

function wordsFor(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_value') return `must be one of ${issue.values.join(', ')}`;
  if (issue.code !== 'invalid_type') return issue.message;
  return `must be of the type ${issue.expected === 'record' ? 'object' : issue.expected}`;
}
