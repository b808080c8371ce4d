import type { AuditActor } from '../../generated/prisma/client.ts';
import type { Scope } from '../merchant/scope.ts';

/** From where a request comes. */
export interface RequestOrigin {
  readonly ipAddress?: string | undefined;
  readonly userAgent?: string | undefined;
  readonly requestId?: string | undefined;
}

/** Who makes a change, and from where: what the audit log remembers of it. */
export interface Actor extends RequestOrigin {
  readonly kind: AuditActor;
  /** Of the key or the member; null for the operator. */
  readonly id: string | null;
  /** The member's wallet; a key's name is looked up. */
  readonly walletAddress?: string;
}

/** Whoever runs the service, at its command line. */
export const OPERATOR: Actor = { kind: 'OPERATOR', id: null };

/** Whose data is changed, and by whom: what a use case that changes something takes in place of a `Scope`. */
export interface ActingScope extends Scope {
  /** Edges name the key or the member; where nobody is named it is the operator. */
  readonly actor?: Actor | undefined;
}

/** For what both environments share: the profile and the team. */
export type ActingForMerchant = Pick<ActingScope, 'merchantId' | 'actor'>;
