import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Block, blocksOf, outputPattern } from './blocks.ts';
import { Terminal } from './terminal.ts';

/** Languages of blocks that are shown and not run. */
const SHOWN = new Set(['json', 'graphql']);

/**
 * Does what a reader of a page does, block by block:
 *
 * - `sh`: runs in the terminal that the title names (`Terminal 2`), or in the page's own.
 * - A title that is the name of a file: saves the block under this name.
 * - `text` with the title `Output` or `Terminal 2 prints`: waits until the text is printed. The
 *   block before may still be running, like a server, and so may a block whose title says "leave it
 *   open". Any other block must end.
 *
 * @param options.adapt changes a block for this machine, such as its ports
 * @param options.onBlock called after each block
 * @returns the number of blocks that ran, were saved or were compared
 */
export async function followPage(
  markdown: string,
  options: {
    readonly cwd: string;
    readonly env: Readonly<Record<string, string | undefined>>;
    readonly withinMs: number;
    readonly adapt?: (text: string) => string;
    readonly onBlock?: (block: Block) => void;
  },
): Promise<number> {
  const { cwd, env, withinMs, adapt = (text) => text, onBlock } = options;
  const folder = await mkdtemp(join(tmpdir(), 'dues-blocks-'));
  const terminals = new Map<string, Terminal>();
  const terminal = (title: string) => {
    const name = /^Terminal \d/.exec(title)?.[0] ?? '';
    const known = terminals.get(name) ?? new Terminal({ cwd, folder, env, withinMs });
    terminals.set(name, known);
    return known;
  };
  const blocks = blocksOf(markdown).filter(({ language }) => !SHOWN.has(language));
  try {
    for (const [index, block] of blocks.entries()) {
      const { language, title } = block;
      const code = adapt(block.code);
      if (language === 'text' && title !== '') await terminal(title).waitForOutput(outputPattern(code));
      else if (/^[\w.-]+\.\w+$/.test(title)) await writeFile(join(cwd, title), code);
      else if (language === 'sh') {
        await terminal(title).start(code);
        const keepsRunning = title.endsWith('leave it open') || blocks[index + 1]?.language === 'text';
        if (!keepsRunning) await terminal(title).waitForEnd();
      } else if (language !== 'text') throw new Error(`No rule for a block of ${language}: ${code}`);
      onBlock?.(block);
    }
    return blocks.length;
  } finally {
    await Promise.all([...terminals.values()].map((shell) => shell.close()));
    await rm(folder, { recursive: true });
  }
}
