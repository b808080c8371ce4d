// TypeScript's library does not declare `JSON.rawJSON`; Node 22 and newer have it.
const { rawJSON } = JSON as unknown as { rawJSON(text: string): unknown };

/**
 * JSON in which a bigint is a plain number with all digits: lamports and token amounts are u64,
 * which a double cannot hold.
 */
export function toJson(value: unknown): string {
  return JSON.stringify(value, (_key, field) =>
    typeof field === 'bigint' ? rawJSON(field.toString()) : field,
  );
}
