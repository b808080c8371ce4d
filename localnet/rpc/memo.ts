import type { ParsedTransaction } from '../transaction.ts';

const MEMO_PROGRAMS = new Set<string | undefined>([
  'Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo',
  'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr',
]);
const utf8 = new TextDecoder('utf-8', { fatal: true });

export function isMemoProgram(program: string | undefined): boolean {
  return MEMO_PROGRAMS.has(program);
}

/** The text of a memo instruction; null if it is not UTF-8. */
export function memoText(data: Uint8Array): string | null {
  try {
    return utf8.decode(data);
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
}

/** A transaction's memos as a cluster lists them, each after its length; null if it has none. */
export function memoOf(transaction: ParsedTransaction): string | null {
  const memos = transaction.instructions
    .filter(({ programIndex }) => isMemoProgram(transaction.staticKeys[programIndex]))
    .map(({ data }) => `[${data.length}] ${memoText(data) ?? '(unparseable)'}`);
  return memos.length > 0 ? memos.join('; ') : null;
}
