import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import type { AppContext } from '../../app.ts';
import { requireScope } from '../../domain/kernel/access/caller.ts';
import { createPortalSessionOf, LINK_MINUTES } from '../../domain/portal/portal-link.ts';
import type { PortalFlow } from '../../generated/prisma/client.ts';
import { actorOf } from '../access/actor-of.ts';
import type { ApiEnv } from '../http/api-env.ts';
import { requestOriginOf } from '../http/request-origin.ts';
import { exactObject } from './exact-object.ts';
import { EXAMPLE } from './examples.ts';
import { requireKey } from './require-key.ts';
import { isoTime, jsonBody, responsesOf } from './responses.ts';
import { NEEDS_KEY } from './security.ts';

const FLOWS = {
  all: 'ALL',
  cancel: 'CANCEL',
  repair_approval: 'REPAIR_APPROVAL',
  top_up: 'TOP_UP',
} as const satisfies Record<string, PortalFlow>;

const request = exactObject({
  subscriptionId: z.string().openapi({
    description: 'Address of any subscription of the customer: the `subscriptionId` of your webhooks',
  }),
  flow: z
    .enum(Object.keys(FLOWS) as [keyof typeof FLOWS])
    .nullish()
    .openapi({ description: 'What the customer can do in the portal; default `all`' }),
  returnUrl: z.string().nullish().openapi({
    description:
      'URL to which the portal links back. It must match the setting `redirectUrlsAllowed` unless that list is empty',
  }),
}).openapi({ example: EXAMPLE.portalOrder });

const route = createRoute({
  method: 'post',
  path: '/portal/create',
  operationId: 'createPortalSession',
  tags: ['Portal'],
  summary: 'Create a URL that opens the customer portal',
  description: `Needs an API key with the scopes \`read\` and \`write\`, because the portal shows the customer's data. Sign the customer in on your own site first. The portal shows only the subscriptions of that customer with you, in the environment of the key. The URL works once, within ${LINK_MINUTES} minutes.`,
  security: NEEDS_KEY,
  middleware: requireKey('READ', 'WRITE'),
  request: { body: jsonBody(request) },
  responses: responsesOf(
    'The URL',
    z
      .object({
        url: z.url().openapi({
          description:
            'URL to which you redirect the customer. Keep it secret: anyone who has it can open the portal',
        }),
        expiresAt: isoTime,
      })
      .openapi({ example: EXAMPLE.createdPortalSession }),
  ),
});

export function routeCreatePortalSession(router: OpenAPIHono<ApiEnv>, ctx: AppContext): void {
  router.openapi(route, async (c) => {
    const { subscriptionId, flow, returnUrl } = c.req.valid('json');
    const actor = actorOf(requireScope(c.var.caller, 'WRITE'), requestOriginOf(c));
    const { url, expiresAt } = await createPortalSessionOf(ctx, { ...c.var.scope, actor }, subscriptionId, {
      flow: FLOWS[flow ?? 'all'],
      returnUrl: returnUrl ?? undefined,
    });
    return c.json({ url, expiresAt: expiresAt.toISOString() }, 200);
  });
}
