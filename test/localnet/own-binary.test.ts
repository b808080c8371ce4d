import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { OWN_PROGRAM_FILE, SUBSCRIPTIONS_PROGRAM } from '../../localnet/genesis.ts';
import { type Localnet, type LocalnetOptions, startLocalnet } from '../../localnet/localnet.ts';
import { fundedWallet, signedTransaction } from '../../tools/world/wallet.ts';
import { callRpc } from '../support/json-rpc.ts';

/** The error of this repository's program for an unknown instruction. */
const UNKNOWN_INSTRUCTION = 114;
/** The other binary's error for an unknown instruction. No release of the program has this code. */
const OTHER_CODE = 7_114;
const INSTRUCTION_BYTES = 8;
const IMMEDIATE_OFFSET = 4;

/** Writes a copy of this repository's program with one changed error code. Returns its path. */
async function writeOtherBinary(): Promise<string> {
  const elf = await readFile(OWN_PROGRAM_FILE);
  const offsets: number[] = [];
  // Constants precede the code, and both are aligned to the size of an instruction.
  for (let offset = 0; offset < elf.length; offset += INSTRUCTION_BYTES) {
    if (elf.readInt32LE(offset + IMMEDIATE_OFFSET) === UNKNOWN_INSTRUCTION) offsets.push(offset);
  }
  expect(offsets).toHaveLength(1);
  elf.writeInt32LE(OTHER_CODE, (offsets[0] ?? 0) + IMMEDIATE_OFFSET);
  const folder = await mkdtemp(join(tmpdir(), 'dues-binary-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, 'other.so');
  await writeFile(file, elf);
  return file;
}

async function start(options: LocalnetOptions): Promise<Localnet> {
  const localnet = await startLocalnet({ slotMs: 0, ...options });
  onTestFinished(() => localnet.close());
  return localnet;
}

/** The error of an unknown instruction, as RPC returns it. */
async function failureOfUnknownInstruction({ network, rpcUrl }: Localnet): Promise<unknown> {
  const payer = await fundedWallet(network);
  const unknown = { programAddress: SUBSCRIPTIONS_PROGRAM, accounts: [], data: Uint8Array.of(0xfe) };
  const wire = await signedTransaction(payer, [unknown], network.latestBlockhash('confirmed'));
  const { result: signature } = await callRpc(rpcUrl, 'sendTransaction', [
    Buffer.from(wire).toString('base64'),
    { encoding: 'base64', skipPreflight: true },
  ]);
  const { result } = await callRpc<{ meta: { err: unknown } }>(rpcUrl, 'getTransaction', [
    signature,
    { commitment: 'confirmed', encoding: 'base64', maxSupportedTransactionVersion: 1 },
  ]);
  return result?.meta.err;
}

function customCode(code: number): object {
  return { InstructionError: [0, { Custom: code }] };
}

test('a given binary runs instead of the default one, and another network clones it', async () => {
  expect(await failureOfUnknownInstruction(await start({}))).toEqual(customCode(UNKNOWN_INSTRUCTION));

  const official = await start({ program: await writeOtherBinary() });
  expect(await failureOfUnknownInstruction(official)).toEqual(customCode(OTHER_CODE));

  const clone = await start({ cloneFrom: official.rpcUrl });
  expect(await failureOfUnknownInstruction(clone)).toEqual(customCode(OTHER_CODE));
  const cloneOfClone = await start({ cloneFrom: clone.rpcUrl });
  expect(await failureOfUnknownInstruction(cloneOfClone)).toEqual(customCode(OTHER_CODE));
});

test('LOCALNET_PROGRAM names the binary for every network, and an option overrides it', async () => {
  onTestFinished(() => void vi.unstubAllEnvs());
  vi.stubEnv('LOCALNET_PROGRAM', await writeOtherBinary());
  expect(await failureOfUnknownInstruction(await start({}))).toEqual(customCode(OTHER_CODE));
  const ours = await start({ program: OWN_PROGRAM_FILE });
  expect(await failureOfUnknownInstruction(ours)).toEqual(customCode(UNKNOWN_INSTRUCTION));

  vi.stubEnv('LOCALNET_PROGRAM', '/nowhere/program.so');
  await expect(startLocalnet()).rejects.toThrow('cannot read the program /nowhere/program.so');
});

test('a saved network keeps its binary unless --program names another one', async () => {
  const program = await writeOtherBinary();
  const folder = await mkdtemp(join(tmpdir(), 'dues-binary-state-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const state = join(folder, 'state');

  const first = await startLocalnet({ slotMs: 0, state });
  expect(await failureOfUnknownInstruction(first)).toEqual(customCode(UNKNOWN_INSTRUCTION));
  await first.close();
  const second = await startLocalnet({ slotMs: 0, state, program });
  expect(await failureOfUnknownInstruction(second)).toEqual(customCode(OTHER_CODE));
  await second.close();
  const third = await start({ state });
  expect(await failureOfUnknownInstruction(third)).toEqual(customCode(OTHER_CODE));
});
