/**
 * Why a transaction failed, in a form that can be stored and compared. It is the same from
 * Yellowstone and from RPC, where kit turns the numbers in JSON into bigints.
 */
export interface TransactionFailure {
  /** The runtime's name of the instruction error, such as `Custom`, or of the transaction error. */
  readonly name: string;
  /**
   * Index of the failed instruction; `null` if the transaction failed before its instructions ran.
   */
  readonly instruction: number | null;
  /** The program's error code, if `name` is `Custom`. */
  readonly custom: number | null;
}

/** Converts a cluster's TransactionError; `null` if there is no error. */
export function toTransactionFailure(error: unknown): TransactionFailure | null {
  if (error === null || error === undefined) return null;
  if (typeof error === 'string') return { name: error, instruction: null, custom: null };
  const [[name, detail] = ['Unknown', null]] = Object.entries(error);
  if (name !== 'InstructionError' || !Array.isArray(detail)) return { name, instruction: null, custom: null };
  const [index, cause] = detail as [number | bigint, unknown];
  const instruction = Number(index);
  if (typeof cause === 'string') return { name: cause, instruction, custom: null };
  const [[causeName, code] = ['Unknown', null]] = Object.entries(cause ?? {});
  return { name: causeName, instruction, custom: causeName === 'Custom' ? Number(code) : null };
}
