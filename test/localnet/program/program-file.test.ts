import { readFileSync } from 'node:fs';
import { getAddressDecoder } from '@solana/kit';
import { SUBSCRIPTIONS_PROGRAM_ADDRESS } from '@solana/subscriptions';
import { describe, expect, it } from 'vitest';
import { createWorld, PROGRAM_FILE } from './world.ts';

const file = readFileSync(PROGRAM_FILE);

function programHeader(index: number) {
  const headerOffset = 64 + index * 56;
  return {
    flags: file.readUInt32LE(headerOffset + 4),
    offset: Number(file.readBigUInt64LE(headerOffset + 8)),
    address: file.readBigUInt64LE(headerOffset + 16),
    size: Number(file.readBigUInt64LE(headerOffset + 32)),
  };
}

describe('the committed program file', () => {
  it('is the program that runs at the official address', async () => {
    const { data } = await createWorld();
    // The account of a program names the account of its code, which has a header of 45 bytes.
    const codeAccount = getAddressDecoder().decode(data(SUBSCRIPTIONS_PROGRAM_ADDRESS), 4);
    expect(Buffer.from(data(codeAccount).subarray(45)).equals(file)).toBe(true);
  });

  it('is an sBPF v3 file with only constants at 0 and code at 2^32', () => {
    expect(file.subarray(0, 4)).toEqual(Buffer.from('\x7fELF'));
    expect({ machine: file.readUInt16LE(18), version: file.readUInt32LE(48) }).toEqual({
      machine: 247,
      version: 3,
    });
    const [constants, code] = [programHeader(0), programHeader(1)];
    expect(constants).toMatchObject({ flags: 4, address: 0n, offset: 64 + 2 * 56 });
    expect(code).toMatchObject({ flags: 1, address: 1n << 32n, offset: constants.offset + constants.size });
    expect(code.offset + code.size).toBe(file.length);
  });

  it('has no 32-bit arithmetic, which clang and the virtual machine extend differently', () => {
    const { offset, size } = programHeader(1);
    const ALU32_CLASS = 0x04;
    const CLASS_MASK = 0x07;
    const LOAD_64_BIT_CONSTANT = 0x18;
    const found: number[] = [];
    for (let position = offset; position < offset + size; position += 8) {
      const opcode = file.readUInt8(position);
      if ((opcode & CLASS_MASK) === ALU32_CLASS) found.push(position);
      // The second half of this instruction is a constant.
      if (opcode === LOAD_64_BIT_CONSTANT) position += 8;
    }
    expect(found).toEqual([]);
  });

  it('stays small', () => {
    expect(file.length).toBeGreaterThan(10_000);
    expect(file.length).toBeLessThan(50_000);
  });
});
