import { isAddress, isSignature } from '@solana/kit';
import type { Db } from '../../../db/db.ts';
import type { Scope } from '../../kernel/access/scope.ts';
import { isId, validSearch } from '../../kernel/input/valid-text.ts';
import { findByAddress } from './find-by-address.ts';
import { findById } from './find-by-id.ts';
import { findByName } from './find-by-name.ts';
import { findBySignature } from './find-by-signature.ts';
import { findDiscounts } from './find-discounts.ts';
import { findReceipt, receiptNumberIn } from './find-receipt.ts';
import type { SearchHit } from './search-hit.ts';

/** Maximum hits of a search. */
export const MAX_HITS = 20;

/**
 * The merchant's objects that a text names: one of our ids, the merchant's `planId`, the address of
 * a wallet, subscription or plan, the signature of a transaction, the number of a receipt, the beginning
 * of a customer's email or id, or the beginning of a discount's name or code. Every query uses an index.
 *
 * @throws BillingError invalid_request, param `text`
 */
export async function search(db: Db, scope: Scope, query: string): Promise<SearchHit[]> {
  const text = validSearch('text', query).trim();
  const number = receiptNumberIn(text);
  const hits = await Promise.all([
    isId(text) ? findById(db, scope, text) : [],
    isAddress(text) ? findByAddress(db, scope, text, MAX_HITS) : [],
    isSignature(text) ? findBySignature(db, scope, text, MAX_HITS) : [],
    number === undefined ? [] : findReceipt(db, scope, number),
    findByName(db, scope, text, MAX_HITS),
    findDiscounts(db, scope, text, MAX_HITS),
  ]);
  return hits.flat().slice(0, MAX_HITS);
}
