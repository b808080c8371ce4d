import type { AppContext } from '../../../app.ts';
import { notFound } from '../../../errors.ts';

/**
 * The bytes of an uploaded logo.
 *
 * @param hash SHA-256 in hexadecimal
 * @throws BillingError not_found
 */
export async function getLogo(
  { db }: Pick<AppContext, 'db'>,
  hash: string,
): Promise<Uint8Array<ArrayBuffer>> {
  const logo = /^[0-9a-f]{64}$/.test(hash) ? await db.merchantLogo.findFirst({ where: { hash } }) : null;
  if (!logo) throw notFound('file');
  return logo.png;
}
