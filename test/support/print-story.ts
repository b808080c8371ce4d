import { afterEach, beforeEach } from 'vitest';
import { beginStory, storyLines } from '../../tools/world/story.ts';

beforeEach(beginStory);

// A failed test prints what happened in it: what dues logged, and the webhooks that it sent.
afterEach(({ task }) => {
  if (task.result?.state !== 'fail' || storyLines().length === 0) return;
  console.error(
    `What happened in "${task.name}":\n${storyLines()
      .map((line) => `  ${line}`)
      .join('\n')}`,
  );
});
