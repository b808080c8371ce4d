import type { Hook } from '@hono/zod-openapi';
import type { z } from 'zod';
import { invalidRequest } from '../errors.ts';
import type { ApiEnv } from '../http/api-env.ts';

/** Turns the first thing that a schema finds wrong into the fact that callers are told. */
// biome-ignore lint/suspicious/noExplicitAny: what hono's own default hook is typed as
export const refuseInvalid: Hook<any, ApiEnv, any, any> = (result, c) => {
  if (result.success) return;
  // A body of any other type was not even read.
  if (result.target === 'json' && !/^application\/json *(;|$)/i.test(c.req.header('content-type') ?? '')) {
    throw invalidRequest('Content-Type', 'The content type must be application/json.');
  }
  const issue = (result.error as z.ZodError).issues[0];
  const param = issue?.path.join('.') || 'body';
  throw invalidRequest(param, `${param} ${wordsFor(issue)}.`);
};

function wordsFor(issue: z.core.$ZodIssue | undefined): string {
  if (issue?.code !== 'invalid_type') return issue?.message ?? 'is not valid';
  return `must be of the type ${issue.expected === 'record' ? 'object' : issue.expected}`;
}
