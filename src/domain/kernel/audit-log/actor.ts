import type { AuditActor } from '../../../generated/prisma/client.ts';
import type { Scope } from '../access/scope.ts';

/** The origin of a request. */
export interface RequestOrigin {
  readonly ipAddress?: string | undefined;
  readonly userAgent?: string | undefined;
  readonly requestId?: string | undefined;
}

/** The actor of a change and its origin, as stored in the audit log. */
export interface Actor extends RequestOrigin {
  readonly kind: AuditActor;
  /** Id of the key, the member or the customer; null for the operator. */
  readonly id: string | null;
  /** The wallet of the member or the customer; a key's name is looked up. */
  readonly walletAddress?: string;
}

/** The operator of the service, who works at its command line. */
export const OPERATOR: Actor = { kind: 'OPERATOR', id: null };

/**
 * The scope of a change and its actor. Use cases that change something take it instead of a
 * `Scope`.
 */
export interface ActingScope extends Scope {
  /** The key or member; undefined for the operator. */
  readonly actor?: Actor | undefined;
}

/** The same for a change that concerns both environments: of the profile or the team. */
export type ActingForMerchant = Pick<ActingScope, 'merchantId' | 'actor'>;
