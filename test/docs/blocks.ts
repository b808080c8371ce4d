/** A fenced block of a page. */
export interface Block {
  readonly language: string;
  readonly title: string;
  readonly code: string;
}

/** Returns the fenced blocks of a page in order, without their indentation. */
export function blocksOf(markdown: string): Block[] {
  const fenced = /^( *)```(\w*)(?: title="([^"]*)")?[^\n]*\n([\s\S]*?)^\1``` *$/gm;
  return [...markdown.matchAll(fenced)].map(([, indent = '', language = '', title = '', code = '']) => ({
    language,
    title,
    code: code.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
  }));
}

/**
 * Returns the pattern that an output must match. In a line, `…` stands for any text. A line of only
 * `…` stands for any lines.
 */
export function outputPattern(expected: string): RegExp {
  const lines = expected.trimEnd().split('\n');
  const patterns = lines.map((line) =>
    line.trim() === '…' ? '[\\s\\S]*?' : line.split('…').map(escapePattern).join('[^\\n]*'),
  );
  return new RegExp(patterns.join('\\n'));
}

function escapePattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
