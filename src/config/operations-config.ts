import type { VariableReader } from './variable-reader.ts';
import { operationsVariables } from './variables/operations.ts';

/** The login of the job queue board. */
export interface QueueBoardConfig {
  readonly user: string;
  readonly password: string;
  /** Whether the user may retry, remove and pause, or only read. */
  readonly allowsActions: boolean;
}

/** What operators see of a process. */
export interface OperationsConfig {
  /** Address at which metrics and health are served for operators; not served if unset. */
  readonly operations?: {
    readonly host: string;
    readonly port: number;
    /** The job queue board; off without a login. */
    readonly queueBoard?: QueueBoardConfig;
  };
  /** An OpenTelemetry collector for traces (OTLP over HTTP); no tracing if unset. */
  readonly tracesEndpoint?: string;
}

/** Reads what operators see; nothing if a variable is wrong. */
export function readOperations(reader: VariableReader): OperationsConfig {
  const values = reader.read(operationsVariables);
  if (!values) return {};
  const { METRICS_HOST: host, METRICS_PORT: port, QUEUE_BOARD_PASSWORD: password } = values;
  if (password && port === undefined) {
    reader.report('QUEUE_BOARD_PASSWORD needs METRICS_PORT: the board is served on that port');
  }
  const allowsActions = values.QUEUE_BOARD_ACTIONS === 'on';
  const queueBoard = password && { user: values.QUEUE_BOARD_USER, password, allowsActions };
  return {
    ...(port !== undefined && { operations: { host, port, ...(queueBoard && { queueBoard }) } }),
    ...(values.OTEL_EXPORTER_OTLP_ENDPOINT && { tracesEndpoint: values.OTEL_EXPORTER_OTLP_ENDPOINT }),
  };
}
