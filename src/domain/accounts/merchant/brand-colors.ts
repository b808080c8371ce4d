/** A merchant's colour as pages and mails use it. All colours are `#rrggbb`. */
export interface BrandColors {
  /** The colour as the merchant chose it: the ground of buttons. */
  readonly color: string;
  /** Text on it: black or white. */
  readonly text: string;
  /** The colour of links and of edges of buttons on light pages. */
  readonly onLight: string;
  /** The same on dark pages. */
  readonly onDark: string;
}

/** Minimum contrast of text and its background (WCAG 2.2, 1.4.3). */
export const MIN_CONTRAST = 4.5;

/** The darkest ground of our light pages, and the lightest one of our dark pages. */
const LIGHT_GROUND = '#f2f3f6';
const DARK_GROUND = '#1c1f28';
const [BLACK, WHITE] = ['#000000', '#ffffff'];
/** Steps from a colour to black or white. */
const STEPS = 20;

/**
 * The colours for a merchant's pages and mails. Every colour can be used:
 *
 * - Text on the colour is black or white, whichever has more contrast, which is at least 4.58 to 1.
 * - Links and edges are mixed with black on light pages, and with white on dark pages, in steps of
 *   5 %, until they have a contrast of 4.5 to 1 with the page.
 *
 * @param color `#rrggbb`
 */
export function brandColors(color: string): BrandColors {
  return {
    color,
    text: contrast(BLACK, color) > contrast(WHITE, color) ? BLACK : WHITE,
    onLight: readableOn(LIGHT_GROUND, color, BLACK),
    onDark: readableOn(DARK_GROUND, color, WHITE),
  };
}

/** The contrast of two colours, from 1 to 21 (WCAG 2.2). */
export function contrast(one: string, other: string): number {
  const [lighter = 0, darker = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (lighter + 0.05) / (darker + 0.05);
}

/** The first mixture with `end` that is readable on the ground. */
function readableOn(ground: string, color: string, end: string): string {
  for (let step = 0; step < STEPS; step += 1) {
    const mixed = mix(color, end, step / STEPS);
    if (contrast(mixed, ground) >= MIN_CONTRAST) return mixed;
  }
  return end;
}

function mix(color: string, end: string, share: number): string {
  const ends = channels(end);
  const mixed = channels(color).map((value, index) =>
    Math.round(value + ((ends[index] ?? 0) - value) * share),
  );
  return `#${mixed.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
}

function channels(color: string): number[] {
  return [1, 3, 5].map((start) => Number.parseInt(color.slice(start, start + 2), 16));
}

/** The relative luminance, from 0 to 1 (WCAG 2.2). */
function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = channels(color).map((value) => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
