import {
  type Attributes,
  context,
  isSpanContextValid,
  ROOT_CONTEXT,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';

/** Specified at https://www.w3.org/TR/trace-context/#traceparent-header */
const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;

/** The trace of a request, a job or a stored row; null without tracing. */
export type Traceparent = string | null;

export interface SpanOptions {
  readonly attributes?: Attributes;
  readonly kind?: 'server' | 'client' | 'internal';
  /** Continues this trace; without it, the current trace if any. */
  readonly follows?: Traceparent | undefined;
}

const KINDS = { server: SpanKind.SERVER, client: SpanKind.CLIENT, internal: SpanKind.INTERNAL } as const;

/** A span that has not ended. */
export interface OpenSpan {
  rename(name: string): void;
  set(attributes: Attributes): void;
  fail(): void;
}

/**
 * Runs the work in a span of a trace. Without tracing it only runs the work. A thrown error marks
 * the span as failed. Its message is not recorded, because it may contain secrets.
 */
export function inSpan<T>(
  name: string,
  { attributes = {}, kind = 'internal', follows }: SpanOptions,
  work: (span: OpenSpan) => Promise<T>,
): Promise<T> {
  const parent = contextOf(follows);
  const options = { attributes, kind: KINDS[kind] };
  return trace.getTracer('dues').startActiveSpan(name, options, parent, async (span) => {
    const fail = () => span.setStatus({ code: SpanStatusCode.ERROR });
    try {
      return await work({
        rename: (newName) => span.updateName(newName),
        set: (added) => span.setAttributes(added),
        fail,
      });
    } catch (error) {
      fail();
      throw error;
    } finally {
      span.end();
    }
  });
}

/** Returns the current trace, for storing with a row; null without tracing. */
export function currentTraceparent(): Traceparent {
  const span = trace.getActiveSpan()?.spanContext();
  if (!span || !isSpanContextValid(span)) return null;
  return `00-${span.traceId}-${span.spanId}-${span.traceFlags.toString(16).padStart(2, '0')}`;
}

/** Returns the id of the current trace, for log lines; undefined without one. */
export function currentTraceId(): string | undefined {
  const span = trace.getActiveSpan()?.spanContext();
  return span && isSpanContextValid(span) ? span.traceId : undefined;
}

function contextOf(follows: Traceparent | undefined) {
  const parent = follows ? spanContextOf(follows) : undefined;
  return parent ? trace.setSpanContext(ROOT_CONTEXT, parent) : context.active();
}

function spanContextOf(traceparent: string): SpanContext | undefined {
  const [, traceId, spanId, flags] = traceparent.match(TRACEPARENT) ?? [];
  if (!traceId || !spanId || !flags) return undefined;
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true };
}
