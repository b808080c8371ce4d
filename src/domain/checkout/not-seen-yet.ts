import { BillingError } from '../../errors.ts';

/** The cluster does not show the transaction, or what came of it; asked again a little later it may. */
export class NotSeenYet extends BillingError {
  constructor(message: string) {
    super('invalid_request', message, 'signature');
  }
}
