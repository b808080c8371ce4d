import type { Environment } from '../../../generated/prisma/client.ts';

/** A merchant and an environment: every row except the merchant belongs to exactly one scope. */
export interface Scope {
  readonly merchantId: string;
  readonly environment: Environment;
}
