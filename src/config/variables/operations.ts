import { z } from 'zod';
import { oneOf, port, url } from './kinds.ts';
import { notes } from './notes.ts';

export const operationsVariables = {
  METRICS_HOST: z.string().default('127.0.0.1').register(notes, {
    text: 'The address of metrics and health, which need no key and are for operators only (docs/operations.md).',
  }),
  METRICS_PORT: port.optional().register(notes, {
    text: 'The port of metrics and health. Without it they are not served.',
  }),
  QUEUE_BOARD_USER: z.string().min(1).default('operator').register(notes, {
    text: "The login of the board of the job queues (Bull Board), at /queues of a worker's METRICS_PORT.",
  }),
  QUEUE_BOARD_PASSWORD: z.string().min(12, 'must have at least 12 characters').optional().register(notes, {
    text: 'The password of the board. The board is off without it.',
    mayBeFile: true,
  }),
  QUEUE_BOARD_ACTIONS: oneOf(['off', 'on']).default('off').register(notes, {
    text: 'Whether the user of the board may also retry, remove and pause.',
  }),
  OTEL_EXPORTER_OTLP_ENDPOINT: url('http://localhost:4318', 'http', 'https').optional().register(notes, {
    text: 'The OpenTelemetry collector that receives traces (OTLP over HTTP). Without it nothing is traced.',
  }),
};
