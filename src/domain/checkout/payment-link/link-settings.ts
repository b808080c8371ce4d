import type { AppContext } from '../../../app.ts';
import type { Prisma } from '../../../generated/prisma/client.ts';
import { refusedRedirect } from '../../accounts/merchant/allowed-redirect.ts';
import type { Scope } from '../../kernel/access/scope.ts';
import { validText, validUrl } from '../../kernel/input/valid-text.ts';
import { validMetadata } from '../session/session-request.ts';

const MAX_NAME = 200;

/** The settings of a payment link that its merchant chooses; null removes a URL. */
export interface LinkSettings {
  /** A note that customers do not see. */
  readonly name: string;
  readonly successUrl: string | null;
  readonly cancelUrl: string | null;
  /** Whether customers may enter a code of a discount. */
  readonly allowsCodes: boolean;
  /** A JSON object, part of all webhooks about the subscriptions that it sells. */
  readonly metadata: unknown;
}

/** New values of settings; omitted settings stay unchanged. */
export type LinkSettingsInput = { readonly [K in keyof LinkSettings]?: LinkSettings[K] | undefined };

/**
 * Validates the given settings.
 *
 * @throws BillingError invalid_request, param `name`, `successUrl`, `cancelUrl` or `metadata`
 */
export async function validSettings(
  { db }: Pick<AppContext, 'db'>,
  scope: Scope,
  { name, successUrl, cancelUrl, allowsCodes, metadata }: LinkSettingsInput,
) {
  const urls = {
    ...(successUrl !== undefined && { successUrl: successUrl && validUrl('successUrl', successUrl) }),
    ...(cancelUrl !== undefined && { cancelUrl: cancelUrl && validUrl('cancelUrl', cancelUrl) }),
  };
  const refused = await refusedRedirect(db, scope, urls);
  if (refused) throw refused;
  return {
    ...(name !== undefined && { name: validText('name', name, MAX_NAME) }),
    ...urls,
    ...(allowsCodes !== undefined && { allowsCodes }),
    ...(metadata !== undefined && { metadata: validMetadata(metadata) as Prisma.InputJsonObject }),
  };
}
