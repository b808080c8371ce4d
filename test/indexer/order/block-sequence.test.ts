import { expect, test } from 'vitest';
import { BlockSequence, type Link } from '../../../indexer/order/block-sequence.ts';

test.each<{ name: string; newest?: bigint; blocks: [slot: bigint, parent: bigint][]; links: Link[] }>([
  {
    name: 'children follow their parents, also over slots without a block',
    newest: 10n,
    blocks: [
      [11n, 10n],
      [15n, 11n],
    ],
    links: [{ kind: 'next' }, { kind: 'next' }],
  },
  {
    name: 'at the first block ever, everything before it is missing',
    blocks: [
      [11n, 10n],
      [12n, 11n],
    ],
    links: [{ kind: 'gap', after: undefined, until: 10n }, { kind: 'next' }],
  },
  {
    name: 'a block that is not the child of the one before it follows a gap',
    newest: 10n,
    blocks: [
      [14n, 13n],
      [15n, 14n],
    ],
    links: [{ kind: 'gap', after: 10n, until: 13n }, { kind: 'next' }],
  },
  {
    name: 'a replay begins with known blocks',
    newest: 10n,
    blocks: [
      [9n, 8n],
      [10n, 9n],
      [11n, 10n],
      [11n, 10n],
    ],
    links: [{ kind: 'known' }, { kind: 'known' }, { kind: 'next' }, { kind: 'known' }],
  },
])('$name', ({ newest, blocks, links }) => {
  const sequence = new BlockSequence(newest);
  expect(blocks.map(([slot, parentSlot]) => sequence.next({ slot, parentSlot }))).toEqual(links);
});
