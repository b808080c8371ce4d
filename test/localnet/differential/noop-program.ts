/** A program that does nothing and always succeeds. The transfer hooks of the tests call it. */
import type { Address } from '@solana/kit';

export const NOOP_PROGRAM = 'Bystander1111111111111111111111111111111111' as Address;

const ELF_HEADER_SIZE = 64;
const PROGRAM_HEADER_SIZE = 56;
/** `r0 = 0; exit` */
const CODE = Buffer.from('b7000000000000009500000000000000', 'hex');

/** An sBPF v3 file with two instructions, in the layout of localnet/program/build.ts. */
export function noopProgram(): Uint8Array {
  const elf = Buffer.alloc(ELF_HEADER_SIZE + PROGRAM_HEADER_SIZE + CODE.length);
  elf.set([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1]);
  elf.writeUInt16LE(3, 16); // ET_DYN
  elf.writeUInt16LE(247, 18); // EM_BPF
  elf.writeUInt32LE(1, 20);
  elf.writeBigUInt64LE(1n << 32n, 24); // entry
  elf.writeBigUInt64LE(BigInt(ELF_HEADER_SIZE), 32);
  elf.writeUInt32LE(3, 48); // sBPF v3
  elf.writeUInt16LE(ELF_HEADER_SIZE, 52);
  elf.writeUInt16LE(PROGRAM_HEADER_SIZE, 54);
  elf.writeUInt16LE(1, 56);
  elf.writeUInt16LE(64, 58);
  const header = elf.subarray(ELF_HEADER_SIZE);
  header.writeUInt32LE(1, 0); // PT_LOAD
  header.writeUInt32LE(1, 4); // PF_X
  header.writeBigUInt64LE(BigInt(ELF_HEADER_SIZE + PROGRAM_HEADER_SIZE), 8);
  header.writeBigUInt64LE(1n << 32n, 16);
  header.writeBigUInt64LE(1n << 32n, 24);
  header.writeBigUInt64LE(BigInt(CODE.length), 32);
  header.writeBigUInt64LE(BigInt(CODE.length), 40);
  elf.set(CODE, ELF_HEADER_SIZE + PROGRAM_HEADER_SIZE);
  return elf;
}
