import { afterAll, afterEach, beforeEach } from 'vitest';
import { beginStory, storyLines } from '../../tools/world/story.ts';

// A failed test prints what happened in it: what dues logged, and the webhooks that it sent.
beforeEach(beginStory);
afterEach(({ task }) => {
  if (task.result?.state === 'fail') printStory(`in "${task.name}"`);
});

// This module is loaded again before each file. No hook runs for a file that fails while it is
// loaded, so its story is printed before the next file of the process.
printStory('while a file was loaded');
beginStory();
afterAll(beginStory);

function printStory(when: string): void {
  const lines = storyLines().map((line) => `  ${line}`);
  if (lines.length > 0) console.error([`What happened ${when}:`, ...lines].join('\n'));
}
