import type { Config } from '../../../config.ts';

/**
 * The URL at which a customer manages a subscription. It gives no access: the portal asks the
 * customer to sign in.
 *
 * @param subscriptionId our id of the subscription
 */
export function portalUrl({ publicUrl }: Pick<Config, 'publicUrl'>, subscriptionId: string): string {
  return publicUrl + portalPath(subscriptionId);
}

/** The path of that URL, for links between our pages. */
export function portalPath(subscriptionId: string): string {
  return `/portal/${subscriptionId}`;
}
