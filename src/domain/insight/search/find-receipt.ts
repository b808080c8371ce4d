import type { Db } from '../../../db/db.ts';
import { documentOf } from '../../billing/receipt/get-receipt.ts';
import type { Scope } from '../../kernel/access/scope.ts';
import type { SearchHit } from './search-hit.ts';

/** The greatest number of a receipt: its column is a signed 32-bit integer. */
const MAX_NUMBER = 2 ** 31 - 1;

/** The number in `305`, `#305` or `Receipt 305`; undefined for another text. */
export function receiptNumberIn(text: string): number | undefined {
  const [, digits] = /^(?:receipt\s+|#)?(\d{1,10})$/i.exec(text) ?? [];
  const number = Number(digits);
  return number >= 1 && number <= MAX_NUMBER ? number : undefined;
}

/** The receipt with this number. */
export async function findReceipt(
  db: Db,
  { merchantId, environment }: Scope,
  number: number,
): Promise<SearchHit[]> {
  const receipt = await db.receipt.findFirst({ where: { merchantId, environment, number } });
  if (!receipt) return [];
  const { email, wallet } = documentOf(receipt).buyer;
  const id = String(number);
  return [{ kind: 'RECEIPT', id, label: id, detail: email ?? wallet, createdAt: receipt.issuedAt }];
}
