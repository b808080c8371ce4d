import { context, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';

/** Interval of exporting spans. */
const HAND_OVER_MS = 1_000;
/** Timeout of an export. */
const ANSWER_WITHIN_MS = 2_000;

export interface Tracing {
  /** Exports the remaining spans. Never rejects: only traces can be lost. */
  close(): Promise<void>;
}

/**
 * Sends all traces of this process to a collector (OTLP over HTTP, JSON); the collector samples. A
 * process has one tracing: the first call counts.
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
