import { invalidRequest } from '../../../errors.ts';

/** Maximum bytes of a logo. In base64 it fits into a request. */
export const MAX_LOGO_BYTES = 50_000;
const MAX_SIDE = 1_024;

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');
/** The first chunk has 13 bytes and is called IHDR. */
const HEADER = Buffer.from('0000000d49484452', 'hex');
/** The last chunk: it has no bytes, is called IEND, and nothing follows. */
const END = Buffer.from('0000000049454e44ae426082', 'hex');
const SIZE_AT = SIGNATURE.length + HEADER.length;

/**
 * Reads a PNG from base64. Only PNG is accepted, because it has no scripts and loads nothing,
 * unlike SVG. An image with bytes after its end is refused. Only browsers decode the image itself.
 *
 * @throws BillingError invalid_request, param `png`
 */
export function readLogo(base64: string): Uint8Array<ArrayBuffer> {
  const bytes = /^[A-Za-z0-9+/]+={0,2}$/.test(base64) ? Buffer.from(base64, 'base64') : Buffer.alloc(0);
  if (bytes.length > MAX_LOGO_BYTES) {
    throw invalidRequest('png', `png must have at most ${MAX_LOGO_BYTES} bytes; it has ${bytes.length}.`);
  }
  const isPng =
    bytes.length >= SIZE_AT + 8 + END.length &&
    bytes.subarray(0, SIGNATURE.length).equals(SIGNATURE) &&
    bytes.subarray(SIGNATURE.length, SIZE_AT).equals(HEADER) &&
    bytes.subarray(-END.length).equals(END);
  if (!isPng) throw invalidRequest('png', 'png must be a PNG image in base64.');
  const [width, height] = [bytes.readUInt32BE(SIZE_AT), bytes.readUInt32BE(SIZE_AT + 4)];
  if (Math.min(width, height) < 1 || Math.max(width, height) > MAX_SIDE) {
    throw invalidRequest('png', `png must be at most ${MAX_SIDE} pixels wide and high.`);
  }
  return new Uint8Array(bytes);
}
