import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import type { AppContext } from '../app.ts';
import { getPublicPlan } from '../domain/plan/public-plan.ts';
import type { ApiEnv } from '../http/api-env.ts';
import { answers } from './responses.ts';
import { NEEDS_NOTHING } from './security.ts';

const route = createRoute({
  method: 'get',
  path: '/plans/{file}',
  operationId: 'getPublicPlan',
  tags: ['Plans'],
  security: NEEDS_NOTHING,
  description: 'Needs no key. Anyone may read what is offered.',
  summary: "What a plan's account on chain refers to as its metadata",
  request: { params: z.object({ file: z.string().openapi({ example: '0190b7c4-....json' }) }) },
  responses: answers(
    'The plan, for anyone to read',
    z.object({
      planId: z.string(),
      name: z.string(),
      description: z.string().nullable(),
      amount: z.string().openapi({ description: 'Price of an interval, in base units of the asset' }),
      interval: z.string().openapi({ description: 'Seconds' }),
      trialPeriodSeconds: z.string().openapi({ description: 'Seconds before the first payment' }),
      mint: z.string().openapi({ description: 'The asset that is paid in' }),
      merchant: z.object({ companyName: z.string(), logoUrl: z.string().nullable() }),
    }),
  ),
});

export function routePublicPlan(router: OpenAPIHono<ApiEnv>, ctx: AppContext): void {
  router.openapi(route, async (c) => {
    const { file } = c.req.valid('param');
    // Without the ending it is no id, which is not found either.
    const id = file.endsWith('.json') ? file.slice(0, -'.json'.length) : '';
    return c.json(await getPublicPlan(ctx, id), 200);
  });
}
