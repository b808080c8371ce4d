import { context, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';

/** Spans are handed over at least so often. */
const HAND_OVER_MS = 1_000;
/** Nobody waits for a collector that is away. */
const ANSWER_WITHIN_MS = 2_000;

export interface Tracing {
  /** Hands over what there is. Never rejects: what is lost are traces. */
  close(): Promise<void>;
}

/**
 * Sends the traces of this process to a collector, from now on (OTLP over HTTP, JSON; every trace: sampling is the
 * collector's). A process has one tracing: that of whoever asks first.
 */
export function startTracing(endpoint: string): Tracing {
  const exporter = new OTLPTraceExporter({
    url: `${endpoint.replace(/\/$/, '')}/v1/traces`,
    timeoutMillis: ANSWER_WITHIN_MS,
  });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'dues' }),
    spanProcessors: [new BatchSpanProcessor({ exporter, scheduledDelayMillis: HAND_OVER_MS })],
  });
  context.setGlobalContextManager(new AsyncLocalStorageContextManager());
  trace.setGlobalTracerProvider(provider);
  return {
    async close() {
      await provider.shutdown().catch(() => undefined);
      trace.disable();
      context.disable();
    },
  };
}
