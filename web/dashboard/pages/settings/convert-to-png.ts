import { settings as text } from '../../../shared/text/settings.ts';

/** Pixels of the longer side, largest first; smaller ones are for images with much detail. */
const SIDES = [512, 256, 128] as const;
/** The API's maximum. */
const MAX_BYTES = 50_000;
/** Larger than any logo; a larger file would only slow down the page. */
const MAX_FILE_BYTES = 10_000_000;

/**
 * Draws an image of any format that the browser supports, and returns it as a small PNG in base64.
 * The PNG has no scripts, no location of a photo, and no other metadata of the file.
 *
 * @throws Error if the file is not an image, or too large at every size
 */
export async function convertToPng(file: File): Promise<string> {
  if (file.size > MAX_FILE_BYTES) throw new Error(text.fileTooLarge);
  const image = await load(await readDataUrl(file));
  const isVector = file.type === 'image/svg+xml';
  const naturalSide = Math.max(image.naturalWidth, image.naturalHeight);
  for (const side of SIDES) {
    const png = draw(image, isVector ? side : Math.min(side, naturalSide));
    // Base64 encodes three bytes in four characters.
    if ((png.length * 3) / 4 <= MAX_BYTES) return png;
  }
  throw new Error(text.logoTooLarge);
}

function draw(image: HTMLImageElement, side: number): string {
  // An SVG may have no natural size.
  const [width, height] = [image.naturalWidth || side, image.naturalHeight || side];
  const scale = side / Math.max(width, height);
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(width * scale));
  canvas.height = Math.max(1, Math.round(height * scale));
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return canvas.toDataURL('image/png').slice('data:image/png;base64,'.length);
}

function load(url: string): Promise<HTMLImageElement> {
  return new Promise((resolve, reject) => {
    const image = new Image();
    image.onload = () => resolve(image);
    image.onerror = () => reject(new Error(text.noImage));
    image.src = url;
  });
}

function readDataUrl(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(new Error(text.noImage));
    reader.readAsDataURL(file);
  });
}
