/** The pattern of LIKE for texts that begin with this one. */
export function beginningWith(text: string): string {
  return `${text.replace(/[\\%_]/g, String.raw`\$&`)}%`;
}
