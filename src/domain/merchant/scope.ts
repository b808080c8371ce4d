import type { Environment } from '../../generated/prisma/client.ts';

/** Whose data, and of which cluster: everything but the merchant belongs to exactly one scope. */
export interface Scope {
  readonly merchantId: string;
  readonly environment: Environment;
}
