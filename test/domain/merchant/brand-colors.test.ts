import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { brandColors, contrast, MIN_CONTRAST } from '../../../src/domain/accounts/merchant/brand-colors.ts';

/** Every sixth of each channel, and colours that merchants chose. */
const CHANNELS = ['00', '33', '66', '99', 'cc', 'ff'];
const COLORS = [
  ...CHANNELS.flatMap((red) => CHANNELS.flatMap((green) => CHANNELS.map((blue) => `#${red}${green}${blue}`))),
  ...['#757575', '#767676', '#777777', '#4338ca', '#0a7d4f', '#ff6600', '#1db954', '#fafafa', '#0d0e13'],
];

/** The grounds of our pages, in light and dark mode. */
async function readGrounds(): Promise<{ light: string[]; dark: string[] }> {
  const tokens = await readFile(new URL('../../../web/shared/theme/tokens.css', import.meta.url), 'utf8');
  const grounds = [...tokens.matchAll(/--(?:ground|surface|sunken): light-dark\((#\w+), (#\w+)\)/g)];
  expect(grounds).toHaveLength(3);
  return {
    light: grounds.map(([, color = '']) => color),
    dark: grounds.map(([, , color = '']) => color),
  };
}

describe('the colours of a merchant', () => {
  it.each([
    ['#ffffff', { text: '#000000', onLight: '#666666', onDark: '#ffffff' }],
    ['#000000', { text: '#ffffff', onLight: '#000000', onDark: '#8c8c8c' }],
    ['#ffee00', { text: '#000000', onDark: '#ffee00' }],
    ['#4338ca', { text: '#ffffff', onLight: '#4338ca' }],
    ['#ff6600', { text: '#000000', onDark: '#ff6600' }],
  ])('are chosen for %s', (color, expected) => {
    expect(brandColors(color)).toMatchObject({ color, ...expected });
  });

  it('can be read on every page of ours, whatever colour the merchant chose', async () => {
    const { light, dark } = await readGrounds();
    const unreadable = COLORS.flatMap((chosen) => {
      const { color, text, onLight, onDark } = brandColors(chosen);
      return [
        { chosen, as: 'text', contrast: contrast(text, color) },
        ...light.map((ground) => ({ chosen, as: `link on ${ground}`, contrast: contrast(onLight, ground) })),
        ...dark.map((ground) => ({ chosen, as: `link on ${ground}`, contrast: contrast(onDark, ground) })),
      ].filter((pair) => pair.contrast < MIN_CONTRAST);
    });
    expect(unreadable).toEqual([]);
  });

  it('stay as they are where they can be read', async () => {
    const { light, dark } = await readGrounds();
    for (const chosen of COLORS) {
      const { onLight, onDark } = brandColors(chosen);
      const isReadable = (grounds: string[]) =>
        grounds.every((ground) => contrast(chosen, ground) >= MIN_CONTRAST);
      if (isReadable(light)) expect(onLight).toBe(chosen);
      if (isReadable(dark)) expect(onDark).toBe(chosen);
    }
  });
});

it.each([
  ['#000000', '#ffffff', 21],
  ['#ffffff', '#ffffff', 1],
  ['#767676', '#ffffff', 4.54],
  ['#ff0000', '#ffffff', 4],
])('the contrast of %s and %s is %d', (one, other, expected) => {
  expect(contrast(one, other)).toBeCloseTo(expected, 2);
  expect(contrast(other, one)).toBe(contrast(one, other));
});
