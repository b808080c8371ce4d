import type { Environment } from '../../../generated/prisma/client.ts';

/**
 * A merchant and an environment: every row except the merchant belongs to exactly one scope. Every
 * caller has one, and every query for a caller filters by both fields; `test/property/tenancy.test.ts`
 * walks all fields as another merchant.
 */
export interface Scope {
  readonly merchantId: string;
  readonly environment: Environment;
}
