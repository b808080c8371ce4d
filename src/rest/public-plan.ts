import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import type { AppContext } from '../app.ts';
import { getPublicPlan } from '../domain/plan/public-plan.ts';
import type { ApiEnv } from '../http/api-env.ts';

const route = createRoute({
  method: 'get',
  path: '/plans/{file}',
  summary: "What a plan's account on chain refers to as its metadata",
  request: { params: z.object({ file: z.string().openapi({ example: '0190b7c4-....json' }) }) },
  responses: {
    200: {
      description: 'The plan, for anyone to read',
      content: {
        'application/json': {
          schema: z.object({
            planId: z.string(),
            name: z.string(),
            description: z.string().nullable(),
            amount: z.string().openapi({ description: 'Price of an interval, in base units of the asset' }),
            interval: z.string().openapi({ description: 'Seconds' }),
            trialPeriodSeconds: z.string().openapi({ description: 'Seconds before the first payment' }),
            mint: z.string().openapi({ description: 'The asset that is paid in' }),
            merchant: z.object({ companyName: z.string(), logoUrl: z.string().nullable() }),
          }),
        },
      },
    },
  },
});

export function routePublicPlan(router: OpenAPIHono<ApiEnv>, ctx: AppContext): void {
  router.openapi(route, async (c) => {
    const { file } = c.req.valid('param');
    // Without the ending it is no id, which is not found either.
    const id = file.endsWith('.json') ? file.slice(0, -'.json'.length) : '';
    return c.json(await getPublicPlan(ctx, id), 200);
  });
}
