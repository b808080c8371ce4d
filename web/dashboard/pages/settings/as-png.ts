import { settings as text } from '../../../shared/text/settings.ts';

/** Pixels of the longer side, the largest first; smaller ones are for pictures with much detail. */
const SIDES = [512, 256, 128] as const;
/** The maximum of the API. */
const MAX_BYTES = 50_000;
/** More than any logo has; a larger file would only make the page slow. */
const MAX_FILE_BYTES = 10_000_000;

/**
 * Draws an image of any format that the browser supports, and returns it as a small PNG in base64. A
 * drawing has no scripts, no place where a photo was taken, and nothing else that the file had.
 *
 * @throws Error if it is no picture, or too large in every size
 */
export async function asPng(file: File): Promise<string> {
  if (file.size > MAX_FILE_BYTES) throw new Error(text.fileTooLarge);
  const picture = await load(await asDataUrl(file));
  const isVector = file.type === 'image/svg+xml';
  const ownSide = Math.max(picture.naturalWidth, picture.naturalHeight);
  for (const side of SIDES) {
    const png = draw(picture, isVector ? side : Math.min(side, ownSide));
    // Three bytes take four characters.
    if ((png.length * 3) / 4 <= MAX_BYTES) return png;
  }
  throw new Error(text.logoTooLarge);
}

function draw(picture: HTMLImageElement, side: number): string {
  // An SVG may have no size of its own.
  const [width, height] = [picture.naturalWidth || side, picture.naturalHeight || side];
  const scale = side / Math.max(width, height);
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(width * scale));
  canvas.height = Math.max(1, Math.round(height * scale));
  canvas.getContext('2d')?.drawImage(picture, 0, 0, canvas.width, canvas.height);
  return canvas.toDataURL('image/png').slice('data:image/png;base64,'.length);
}

function load(url: string): Promise<HTMLImageElement> {
  return new Promise((resolve, reject) => {
    const picture = new Image();
    picture.onload = () => resolve(picture);
    picture.onerror = () => reject(new Error(text.noPicture));
    picture.src = url;
  });
}

function asDataUrl(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(new Error(text.noPicture));
    reader.readAsDataURL(file);
  });
}
