import type { Hook } from '@hono/zod-openapi';
import type { z } from 'zod';
import { invalidRequest } from '../../errors.ts';
import { JSON_ONLY } from '../errors/error-response.ts';
import type { ApiEnv } from '../http/api-env.ts';
import { formatList } from './exact-object.ts';

/** Maximum problems listed in one message. */
const MAX_PROBLEMS = 10;
/** Maximum length of an unknown name in a message. It comes from the caller, in any length. */
const MAX_NAME = 100;

interface Problem {
  readonly param: string;
  readonly message: string;
}

/**
 * Refuses input in which a schema finds problems. The message lists the first ten; `param` names
 * the first one.
 */
// biome-ignore lint/suspicious/noExplicitAny: the same type as hono's own default hook
export const refuseInvalid: Hook<any, ApiEnv, any, any> = (result, c) => {
  if (result.success) return;
  // A body with a wrong content type was not read.
  if (result.target === 'json' && !/^application\/json *(;|$)/i.test(c.req.header('content-type') ?? '')) {
    throw invalidRequest('Content-Type', JSON_ONLY);
  }
  const { issues } = result.error as z.ZodError;
  const { data } = result as { readonly data?: unknown };
  const problems = issues.flatMap((issue) => problemsOf(issue, data)).slice(0, MAX_PROBLEMS);
  const [first] = problems;
  if (!first) throw new Error('a schema failed without an issue');
  throw invalidRequest(first.param, problems.map(({ message }) => message).join(' '));
};

function problemsOf(issue: z.core.$ZodIssue, sent: unknown): Problem[] {
  if (issue.path.length === 0 && issue.code === 'unrecognized_keys') {
    const names = issue.keys.slice(0, MAX_PROBLEMS).map((key) => key.slice(0, MAX_NAME) || 'body');
    const verb = names.length > 1 ? 'are' : 'is';
    return [
      { param: names[0] ?? 'body', message: `${formatList(names)} ${verb} unknown; ${issue.message}.` },
    ];
  }
  if (issue.path.length === 0) return [{ param: 'body', message: 'The body must be a JSON object.' }];
  const param = issue.path.join('.');
  return [{ param, message: `${param} ${isMissing(issue, sent) ? 'is required' : ruleOf(issue)}.` }];
}

function isMissing({ path }: z.core.$ZodIssue, sent: unknown): boolean {
  const [name] = path;
  return typeof sent === 'object' && sent !== null && name !== undefined && !Object.hasOwn(sent, name);
}

function ruleOf(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_value') return `must be one of ${issue.values.join(', ')}`;
  if (issue.code !== 'invalid_type') return issue.message;
  return `must be of the type ${issue.expected === 'record' ? 'object' : issue.expected}`;
}
