import { context, ROOT_CONTEXT, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sendTestEvent } from '../../../src/domain/messages/webhook/send-test-event.ts';
import type { TestContext } from '../../jobs/context.ts';
import { addEndpoint, createSubscribedMerchant, startWorld } from '../world.ts';

const TRACE = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331', traceFlags: 1 };

let ctx: TestContext;
let close: () => Promise<void>;
beforeAll(async () => {
  ({ ctx, close } = await startWorld());
  context.setGlobalContextManager(new AsyncLocalStorageContextManager());
});
afterAll(async () => {
  context.disable();
  await close();
});

it('a test event carries the trace of the request that sent it', async () => {
  const merchant = await createSubscribedMerchant(ctx);
  const { endpoint } = await addEndpoint(ctx, merchant, 'https://shop.example/hook');
  const { eventId } = await context.with(trace.setSpanContext(ROOT_CONTEXT, TRACE), () =>
    sendTestEvent(ctx, merchant.scope, { endpointId: endpoint.id }),
  );
  expect(await ctx.db.event.findUnique({ where: { id: eventId } })).toMatchObject({
    type: 'endpoint.test',
    data: { endpointId: endpoint.id },
    traceparent: `00-${TRACE.traceId}-${TRACE.spanId}-01`,
  });
});
