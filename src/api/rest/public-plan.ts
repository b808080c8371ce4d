import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import type { AppContext } from '../../app.ts';
import { getPublicPlan } from '../../domain/catalog/plan/public-plan.ts';
import type { ApiEnv } from '../http/api-env.ts';
import { responsesOf } from './responses.ts';
import { NEEDS_NO_KEY } from './security.ts';

const route = createRoute({
  method: 'get',
  path: '/plans/{file}',
  operationId: 'getPublicPlan',
  tags: ['Plans'],
  security: NEEDS_NO_KEY,
  description:
    'The account of the plan on chain has the URL of this route as its metadata URL. Needs no key.',
  summary: 'Retrieve a plan',
  request: { params: z.object({ file: z.string().openapi({ example: '0190b7c4-....json' }) }) },
  responses: responsesOf(
    'The plan',
    z.object({
      planId: z.string(),
      name: z.string(),
      description: z.string().nullable(),
      imageUrl: z.string().nullable(),
      amount: z.string().openapi({ description: 'Price of one interval, in base units of the token' }),
      maxAmount: z
        .string()
        .openapi({ description: 'The most that can be collected in one interval, in base units' }),
      interval: z.string().openapi({ description: 'Billing interval in seconds, as a string' }),
      trialPeriodSeconds: z
        .string()
        .openapi({ description: 'Seconds before the first payment, as a string; `0` without a trial' }),
      mint: z.string().openapi({ description: 'Mint of the payment token, in base58' }),
      merchant: z.object({ companyName: z.string(), logoUrl: z.string().nullable() }),
    }),
  ),
});

export function routePublicPlan(router: OpenAPIHono<ApiEnv>, ctx: AppContext): void {
  router.openapi(route, async (c) => {
    const { file } = c.req.valid('param');
    // A name without the extension is treated like an unknown id.
    const id = file.endsWith('.json') ? file.slice(0, -'.json'.length) : '';
    return c.json(await getPublicPlan(ctx, id), 200);
  });
}
