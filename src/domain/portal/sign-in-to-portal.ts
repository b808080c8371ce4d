import type { AppContext } from '../../app.ts';
import { makeSignInInput } from '../accounts/sign-in/make-sign-in-input.ts';
import type { SignInFields } from '../accounts/sign-in/sign-in-message.ts';
import { type SignedMessage, verifyForPortal } from '../accounts/sign-in/verify-signed-message.ts';
import { type OpenedPortal, openPortal } from './portal-session.ts';

/**
 * Creates the input of `solana:signIn` for the portal. Its nonce is valid for the portal only.
 *
 * @throws BillingError invalid_request, param `address`
 */
export function portalSignInInput(
  ctx: Pick<AppContext, 'config' | 'db' | 'wallClock'>,
  address?: string,
): Promise<SignInFields> {
  return makeSignInInput(ctx, address, 'portal');
}

/**
 * Opens a portal session for the wallet that signed. It shows the subscriptions that the wallet
 * pays, of all merchants and in both environments.
 *
 * @throws BillingError invalid_request, param `address`, `signedMessage` or `signature`
 */
export async function signInToPortal(
  ctx: Pick<AppContext, 'config' | 'db' | 'wallClock'>,
  signed: SignedMessage,
): Promise<OpenedPortal> {
  const walletAddress = await verifyForPortal(ctx, signed);
  const holder = { kind: 'wallet', walletAddress } as const;
  return openPortal(ctx, ctx.db, holder, { flow: 'ALL', returnUrl: null });
}
