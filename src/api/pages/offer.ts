import type { PriceAsset } from '../../domain/catalog/asset/price-asset.ts';
import type { Plan } from '../../generated/prisma/client.ts';
import type { OfferData } from './page-data.ts';

/** A plan with its price, for a page. */
export function offerOf(
  {
    name,
    description,
    amount,
    intervalSeconds,
  }: Pick<Plan, 'name' | 'description' | 'amount' | 'intervalSeconds'>,
  token: PriceAsset | null,
): OfferData {
  return { planName: name, description, token, amount: String(amount), intervalSeconds };
}
