import { crc32, deflateSync } from 'node:zlib';

/** A plain greyscale PNG. Pass another `color` to get a different picture of the same size. */
export function createPng(width: number, height: number, color = 128): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // Bit depth. The color type stays 0: greyscale.
  header.writeUInt8(8, 8);
  const row = Buffer.alloc(width + 1, color);
  row.writeUInt8(0, 0);
  const pixels = deflateSync(Buffer.concat(Array.from({ length: height }, () => row)));
  const parts = [chunk('IHDR', header), chunk('IDAT', pixels), chunk('IEND', Buffer.alloc(0))];
  return Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), ...parts]);
}

function chunk(name: string, data: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const nameAndData = Buffer.concat([Buffer.from(name, 'latin1'), data]);
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(nameAndData));
  return Buffer.concat([length, nameAndData, checksum]);
}
