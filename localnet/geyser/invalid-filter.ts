import { status } from '@grpc/grpc-js';
import { CallFailed } from './failures.ts';

/** The request cannot be served. `reason` has the wording of the real server. */
export class InvalidFilter extends CallFailed {
  override name = 'InvalidFilter';
  readonly reason: string;
  constructor(reason: string) {
    super({ code: status.INVALID_ARGUMENT, details: `failed to create filter: ${reason}` });
    this.reason = reason;
  }
}
