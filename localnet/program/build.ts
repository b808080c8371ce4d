/**
 * Builds `subscriptions.so` from `subscriptions.c` with clang-19 alone. Solana's own toolchain is a
 * download of hundreds of megabytes, which is not possible on a closed network.
 *
 *     node localnet/program/build.ts            writes subscriptions.so
 *     node localnet/program/build.ts --check    compares with the committed file, writes nothing
 *
 * The bytes do not depend on the folder of the checkout, but may depend on the version of clang.
 * The committed file was built with Debian's 19.1.7.
 *
 * sBPF v3 is close to plain eBPF. After clang, this script only arranges the object as the loader
 * requires:
 *
 *     ELF header | program headers | .rodata (PF_R, at virtual address 0) | .text (PF_X, at 2^32)
 *
 * with no gaps and no section headers, and fills in the addresses of constants in `.text`.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Command } from 'commander';

const SOURCE = fileURLToPath(new URL('subscriptions.c', import.meta.url));
const OUTPUT = fileURLToPath(new URL('subscriptions.so', import.meta.url));
const CLANG = process.env.CLANG ?? 'clang-19';

const FLAGS = [
  ...['-target', 'bpfel', '-O2', '-std=c11', '-Wall', '-Wextra', '-Werror'],
  // v2 has only 64-bit arithmetic. clang's v3 adds 32-bit arithmetic with zero-extended results,
  // while the virtual machine sign-extends additions, subtractions and multiplications.
  '-mcpu=v2',
  // There is no libc: a copy loop must not become a call to memcpy.
  ...['-ffreestanding', '-fno-builtin', '-fno-jump-tables'],
  ...['-mllvm', '-bpf-stack-size=4096'],
];

const TEXT_ADDRESS = 1n << 32n;
const ELF_HEADER_SIZE = 64;
const PROGRAM_HEADER_SIZE = 56;
const SECTION_HEADER_SIZE = 64;
const SYMBOL_SIZE = 24;
const RELOCATION_SIZE = 16;

const SHT_SYMTAB = 2;
const SHT_REL = 9;
const SHF_WRITE = 1n;
const R_BPF_64_64 = 1;
const PF_X = 1;
const PF_R = 4;

/** An error of the machine or of the source, reported in one line. */
class BuildError extends Error {}

type Section = {
  index: number;
  name: string;
  type: number;
  flags: bigint;
  link: number;
  info: number;
  bytes: Buffer;
};
type MachineSymbol = { name: string; section: number; value: number };

function compile(): Buffer {
  const result = spawnSync(CLANG, [...FLAGS, '-c', SOURCE, '-o', '-'], { maxBuffer: 1 << 24 });
  if (result.error) {
    throw new BuildError(`Cannot run ${CLANG}: install clang-19 (apt-get install clang-19) or set CLANG.`);
  }
  if (result.status !== 0) throw new BuildError(`${CLANG} failed:\n${result.stderr}`);
  return result.stdout;
}

function cString(bytes: Buffer, offset: number): string {
  return bytes.toString('latin1', offset, bytes.indexOf(0, offset));
}

function readSections(object: Buffer): Section[] {
  const tableOffset = Number(object.readBigUInt64LE(40));
  const count = object.readUInt16LE(60);
  const raw = Array.from({ length: count }, (_, index) => {
    const header = object.subarray(tableOffset + index * SECTION_HEADER_SIZE);
    const offset = Number(header.readBigUInt64LE(24));
    return {
      index,
      nameOffset: header.readUInt32LE(0),
      type: header.readUInt32LE(4),
      flags: header.readBigUInt64LE(8),
      link: header.readUInt32LE(40),
      info: header.readUInt32LE(44),
      bytes: object.subarray(offset, offset + Number(header.readBigUInt64LE(32))),
    };
  });
  const names = raw[object.readUInt16LE(62)];
  if (!names) throw new BuildError('The object has no section names.');
  return raw.map(({ nameOffset, ...section }) => ({ ...section, name: cString(names.bytes, nameOffset) }));
}

function readSymbols(sections: Section[]): MachineSymbol[] {
  const table = sections.find((section) => section.type === SHT_SYMTAB);
  const names = table && sections[table.link];
  if (!names) throw new BuildError('The object has no symbols.');
  return Array.from({ length: table.bytes.length / SYMBOL_SIZE }, (_, index) => {
    const entry = table.bytes.subarray(index * SYMBOL_SIZE);
    return {
      name: cString(names.bytes, entry.readUInt32LE(0)),
      section: entry.readUInt16LE(6),
      value: Number(entry.readBigUInt64LE(8)),
    };
  });
}

/**
 * Joins the sections of constants, each at a multiple of 8, because clang may have merged constants
 * by alignment.
 */
function layOutConstants(sections: Section[]): { bytes: Buffer; addresses: Map<number, number> } {
  const addresses = new Map<number, number>();
  const parts: Buffer[] = [];
  let size = 0;
  for (const section of sections.filter(({ name }) => name.startsWith('.rodata'))) {
    addresses.set(section.index, size);
    const padding = Buffer.alloc(-section.bytes.length & 7);
    parts.push(section.bytes, padding);
    size += section.bytes.length + padding.length;
  }
  return { bytes: Buffer.concat(parts), addresses };
}

/**
 * Writes the addresses of constants into the 64-bit loads that use them. The loads already contain
 * the addends.
 */
function relocate(text: Section, sections: Section[], addresses: Map<number, number>): Buffer {
  const patched = Buffer.from(text.bytes);
  const symbols = readSymbols(sections);
  for (const table of sections.filter(({ type }) => type === SHT_REL)) {
    if (table.info !== text.index)
      throw new BuildError(`${table.name}: constants must not contain addresses.`);
    for (let at = 0; at < table.bytes.length; at += RELOCATION_SIZE) {
      const offset = Number(table.bytes.readBigUInt64LE(at));
      const type = table.bytes.readUInt32LE(at + 8);
      const symbol = symbols[table.bytes.readUInt32LE(at + 12)];
      const base = symbol && addresses.get(symbol.section);
      if (!symbol || type !== R_BPF_64_64 || base === undefined) {
        throw new BuildError(
          `The code refers to "${symbol?.name}" (relocation ${type}), which is not a constant.`,
        );
      }
      patched.writeUInt32LE(base + symbol.value + patched.readUInt32LE(offset + 4), offset + 4);
    }
  }
  return patched;
}

function programHeader(flags: number, offset: number, address: bigint, size: number): Buffer {
  const header = Buffer.alloc(PROGRAM_HEADER_SIZE);
  header.writeUInt32LE(1, 0); // PT_LOAD
  header.writeUInt32LE(flags, 4);
  header.writeBigUInt64LE(BigInt(offset), 8);
  header.writeBigUInt64LE(address, 16);
  header.writeBigUInt64LE(address, 24);
  header.writeBigUInt64LE(BigInt(size), 32);
  header.writeBigUInt64LE(BigInt(size), 40);
  return header;
}

function elfHeader(entry: bigint, programHeaders: number): Buffer {
  const header = Buffer.alloc(ELF_HEADER_SIZE);
  header.set([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1]); // 64 bits, little-endian, version 1
  header.writeUInt16LE(3, 16); // ET_DYN
  header.writeUInt16LE(247, 18); // EM_BPF
  header.writeUInt32LE(1, 20);
  header.writeBigUInt64LE(entry, 24);
  header.writeBigUInt64LE(BigInt(ELF_HEADER_SIZE), 32);
  header.writeUInt32LE(3, 48); // sBPF v3
  header.writeUInt16LE(ELF_HEADER_SIZE, 52);
  header.writeUInt16LE(PROGRAM_HEADER_SIZE, 54);
  header.writeUInt16LE(programHeaders, 56);
  header.writeUInt16LE(SECTION_HEADER_SIZE, 58);
  return header;
}

function build(): Buffer {
  const sections = readSections(compile());
  const writable = sections.find(({ flags, bytes }) => (flags & SHF_WRITE) !== 0n && bytes.length > 0);
  if (writable)
    throw new BuildError(`${writable.name} is writable: a program must not have writable statics.`);
  const text = sections.find(({ name }) => name === '.text');
  const entrypoint = readSymbols(sections).find(({ name }) => name === 'entrypoint');
  if (!text || !entrypoint) throw new BuildError('The source has no entrypoint().');

  const constants = layOutConstants(sections);
  const code = relocate(text, sections, constants.addresses);
  const headers = constants.bytes.length > 0 ? 2 : 1;
  const start = ELF_HEADER_SIZE + headers * PROGRAM_HEADER_SIZE;
  return Buffer.concat([
    elfHeader(TEXT_ADDRESS + BigInt(entrypoint.value), headers),
    ...(headers === 2 ? [programHeader(PF_R, start, 0n, constants.bytes.length)] : []),
    programHeader(PF_X, start + constants.bytes.length, TEXT_ADDRESS, code.length),
    constants.bytes,
    code,
  ]);
}

function main(): void {
  const { check } = new Command('npm run program:build --')
    .description('Builds subscriptions.so with clang-19.')
    .option('--check', 'compare with the committed file and write nothing', false)
    .showHelpAfterError()
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2))
    .parse()
    .opts<{ readonly check: boolean }>();
  const built = build();
  if (!check) {
    writeFileSync(OUTPUT, built);
    console.log(`localnet/program/subscriptions.so: ${built.length} bytes`);
    return;
  }
  if (!existsSync(OUTPUT) || !built.equals(readFileSync(OUTPUT))) {
    throw new BuildError(
      'localnet/program/subscriptions.so differs from what its source builds: run npm run program:build.',
    );
  }
  console.log('localnet/program/subscriptions.so matches its source.');
}

try {
  main();
} catch (error) {
  if (!(error instanceof BuildError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
