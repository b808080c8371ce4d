import { BillingError } from '../../../errors.ts';

/** The cluster does not show the transaction or its effect yet; a later call may succeed. */
export class NotSeenYet extends BillingError {
  constructor(message: string) {
    super('invalid_request', message, 'signature');
  }
}
