import { crc32, deflateSync } from 'node:zlib';
import { encodeQR } from 'qr';

/** Pixels per module, large enough for print. */
const SCALE = 12;
const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/**
 * Creates a QR code as PNG with one bit per pixel. The library only creates SVG and GIF.
 * https://www.w3.org/TR/png-3/
 */
export function qrPng(text: string): Uint8Array<ArrayBuffer> {
  const modules = encodeQR(text, 'raw', { ecc: 'medium', border: 4 });
  const size = modules.length * SCALE;
  const rows = modules.flatMap((row) => Array<Buffer>(SCALE).fill(rowOf(row, size)));
  const header = Buffer.alloc(13);
  header.writeUInt32BE(size, 0);
  header.writeUInt32BE(size, 4);
  // One bit of grey per pixel. The other bytes stay 0: the only compression and filter, no
  // interlace.
  header.writeUInt8(1, 8);
  const parts = [
    SIGNATURE,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.concat(rows))),
    chunk('IEND', Buffer.alloc(0)),
  ];
  return new Uint8Array(Buffer.concat(parts));
}

/** A row of pixels after its filter byte. A light pixel is 1. */
function rowOf(modules: readonly boolean[], size: number): Buffer {
  const row = Buffer.alloc(1 + Math.ceil(size / 8));
  for (let x = 0; x < size; x += 1) {
    if (modules[Math.floor(x / SCALE)]) continue;
    const at = 1 + (x >> 3);
    row[at] = (row[at] ?? 0) | (0x80 >> (x & 7));
  }
  return row;
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}
