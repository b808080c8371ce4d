import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Address, createSolanaRpc, generateKeyPairSigner } from '@solana/kit';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { CloneFailed } from '../../localnet/clone.ts';
import { SUBSCRIPTIONS_PROGRAM, USDC_MINT } from '../../localnet/genesis.ts';
import { hostInUrl } from '../../localnet/host-in-url.ts';
import { type Localnet, type LocalnetOptions, startLocalnet } from '../../localnet/localnet.ts';
import { PortInUse } from '../../localnet/server.ts';
import { loadState, UnreadableState } from '../../localnet/state-file.ts';
import { parseTransaction } from '../../localnet/transaction.ts';
import { UnreadableProgram } from '../../localnet/virtual-machine.ts';
import { fundedWallet, signedTransaction, signedTransfer } from '../../tools/world/wallet.ts';
import { callRpc } from '../support/json-rpc.ts';
import { SOON } from '../support/soon.ts';

const CLI = fileURLToPath(new URL('../../bin/dues.ts', import.meta.url));

async function start(options: LocalnetOptions = {}): Promise<Localnet> {
  const localnet = await startLocalnet({ slotMs: 0, ...options });
  onTestFinished(() => localnet.close());
  return localnet;
}

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'dues-localnet-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** The error of an instruction that the program does not have. It shows that the program runs. */
async function simulateUnknownInstruction({ network }: Localnet): Promise<unknown> {
  const payer = await fundedWallet(network);
  const instruction = { programAddress: SUBSCRIPTIONS_PROGRAM, data: Uint8Array.from([99]) };
  const { blockhash } = network.latestBlockhash('confirmed');
  const transaction = parseTransaction(await signedTransaction(payer, [instruction], { blockhash }));
  return network.simulate(transaction, true).err;
}

const UNKNOWN_INSTRUCTION_ERROR = { InstructionError: [0, { Custom: 114 }] };

it.each([
  ['127.0.0.1', '127.0.0.1'],
  ['localhost', 'localhost'],
  ['::1', '[::1]'],
])('writes the host %s as %s in its URLs', (host, written) => {
  expect(hostInUrl(host)).toBe(written);
});

describe('a localnet', () => {
  it('has the subscriptions program and USDC at the addresses of Devnet', async () => {
    const localnet = await start();
    const rpc = createSolanaRpc(localnet.rpcUrl);
    const { value: program } = await rpc.getAccountInfo(SUBSCRIPTIONS_PROGRAM, { encoding: 'base64' }).send();
    expect(program?.executable).toBe(true);
    const { value: supply } = await rpc.getTokenSupply(USDC_MINT, { commitment: 'processed' }).send();
    expect(supply).toMatchObject({ amount: '0', decimals: 6 });
    expect(await simulateUnknownInstruction(localnet)).toEqual(UNKNOWN_INSTRUCTION_ERROR);
  });

  it('runs a given binary instead of its own', async () => {
    const ours = fileURLToPath(new URL('../../localnet/program/subscriptions.so', import.meta.url));
    expect(await simulateUnknownInstruction(await start({ program: ours }))).toEqual(
      UNKNOWN_INSTRUCTION_ERROR,
    );
  });

  it('clones the program and the mint from another cluster', async () => {
    const origin = await start();
    const { address: holder } = await generateKeyPairSigner();
    await callRpc(origin.rpcUrl, 'surfnet_setTokenAccount', [holder, USDC_MINT, { amount: 42 }]);
    origin.network.tick();
    const clone = await start({ cloneFrom: origin.rpcUrl });
    expect(await simulateUnknownInstruction(clone)).toEqual(UNKNOWN_INSTRUCTION_ERROR);
    const mintOn = ({ network }: Localnet) => network.getAccount(USDC_MINT, 'processed');
    expect(mintOn(clone)).toEqual(mintOn(origin));
  });

  it('saves its state when it is closed and continues from it', async () => {
    const state = join(await temporaryFolder(), 'state');
    const first = await startLocalnet({ slotMs: 0, state });
    const payer = await fundedWallet(first.network);
    const { address: receiver } = await generateKeyPairSigner();
    const wire = await signedTransfer(first.network, payer, receiver, 1_000_000n);
    const { result: signature } = await callRpc<string>(first.rpcUrl, 'sendTransaction', [
      Buffer.from(wire).toString('base64'),
      { encoding: 'base64', preflightCommitment: 'confirmed' },
    ]);
    await first.close();
    const second = await start({ state });
    const rpc = createSolanaRpc(second.rpcUrl);
    expect((await rpc.getBalance(receiver, { commitment: 'confirmed' }).send()).value).toBe(1_000_000n);
    const { result } = await callRpc<{ meta: { fee: number } }>(second.rpcUrl, 'getTransaction', [
      signature,
      { commitment: 'confirmed', maxSupportedTransactionVersion: 1 },
    ]);
    expect(result?.meta.fee).toBe(5_000);
    expect(await simulateUnknownInstruction(second)).toEqual(UNKNOWN_INSTRUCTION_ERROR);
  });

  it('saves a pause of its clock, and a travel meanwhile', async () => {
    const state = join(await temporaryFolder(), 'state');
    const { network } = await start({ state });
    const saved = () => loadState(state);
    await vi.waitFor(async () => expect((await saved())?.paused).toBe(false), SOON);
    network.clock.pause();
    await vi.waitFor(async () => expect((await saved())?.paused).toBe(true), SOON);
    const later = network.clock.nowMs() + 86_400_000;
    network.clock.advance(86_400_000);
    await vi.waitFor(async () => expect((await saved())?.timeMs).toBe(later), SOON);
  });

  it('saves its state while it runs, in case its process is killed', async () => {
    const state = join(await temporaryFolder(), 'state');
    const killed = await start({ state });
    const payer = await fundedWallet(killed.network);
    const targetSeconds = killed.network.unixSeconds() + 86_400;
    killed.network.travel({ timeMs: targetSeconds * 1000 });
    await vi.waitFor(async () => {
      const saved = await loadState(state);
      expect(saved?.timeMs).toBeGreaterThanOrEqual(targetSeconds * 1000);
      expect(saved?.accounts.map(({ address }) => address)).toContain(payer.address);
    }, SOON);
  });
});

describe('a localnet that cannot start', () => {
  it('names a port that is in use and stops everything that it has started', async () => {
    const blocker = createServer().listen(0, '127.0.0.1');
    await once(blocker, 'listening');
    onTestFinished(() => void blocker.close());
    const { port } = blocker.address() as { port: number };
    for (const option of ['rpcPort', 'webSocketPort', 'geyserPort'] as const) {
      const failure = await startLocalnet({ [option]: port }).catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(PortInUse);
      expect((failure as Error).message).toContain(`port ${port} is in use`);
    }
  });

  it('refuses a program file that is missing or not a program', async () => {
    const folder = await temporaryFolder();
    await expect(startLocalnet({ program: join(folder, 'none.so') })).rejects.toThrow(UnreadableProgram);
    await writeFile(join(folder, 'text.so'), 'not a program');
    await expect(startLocalnet({ program: join(folder, 'text.so') })).rejects.toThrow('cannot be loaded');
    await writeFile(join(folder, 'torn.so'), Buffer.from('\x7fELF and then nothing', 'latin1'));
    await expect(startLocalnet({ program: join(folder, 'torn.so') })).rejects.toThrow(UnreadableProgram);
  });

  it('refuses a file that is not a state file and does not change it', async () => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, 'state'), 'something else');
    await expect(startLocalnet({ state: join(folder, 'state') })).rejects.toThrow(UnreadableState);
    expect(await readdir(folder)).toEqual(['state']);
  });

  it('refuses a cluster that does not answer or lacks the program', async () => {
    const closed = await startLocalnet();
    await closed.close();
    await expect(startLocalnet({ cloneFrom: closed.rpcUrl })).rejects.toThrow(CloneFailed);
    const empty = await start();
    empty.network.setAccount(SUBSCRIPTIONS_PROGRAM, {
      lamports: 1n,
      owner: '11111111111111111111111111111111' as Address,
      data: new Uint8Array(),
      executable: false,
    });
    empty.network.tick();
    await expect(startLocalnet({ cloneFrom: empty.rpcUrl })).rejects.toThrow('is not a program');
  });
});

describe('dues localnet', () => {
  function dues(...args: string[]): ChildProcess {
    const child = spawn(process.execPath, [CLI, 'localnet', ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
    onTestFinished(() => void child.kill('SIGKILL'));
    return child;
  }

  async function readUntil(stream: NodeJS.ReadableStream | null, marker: string): Promise<string> {
    let text = '';
    for await (const chunk of stream ?? []) {
      text += String(chunk);
      if (text.includes(marker)) break;
    }
    return text;
  }

  it('prints its addresses, answers requests, and stops cleanly on SIGTERM', async () => {
    const child = dues('--rpc-port', '0', '--ws-port', '0', '--yellowstone-port', '0');
    const output = await readUntil(child.stdout, 'Ctrl-C');
    const url = /JSON-RPC\S*\s+(http:\S+)/.exec(output)?.[1] ?? '';
    expect((await callRpc(url, 'getHealth')).result).toBe('ok');
    expect(output).toContain(USDC_MINT);
    child.kill('SIGTERM');
    const [code] = await once(child, 'exit');
    expect(code).toBe(0);
  });

  it('names the port that is in use in one line, and exits with 1', async () => {
    const { rpcUrl } = await start();
    const port = new URL(rpcUrl).port;
    const child = dues('--rpc-port', port);
    const exit = once(child, 'exit');
    const output = await readUntil(child.stderr, '\n');
    expect(output).toContain(`dues localnet: port ${port} is in use`);
    expect(output).not.toContain(' at ');
    expect((await exit)[0]).toBe(1);
  });

  it.each([
    ['--slot-ms', 'soon', 'Not a whole number'],
    ['--rpc-port', '70000', 'Ports go from 0 to 65535'],
  ])('refuses %s %s', async (flag, value, reason) => {
    const child = dues(flag, value);
    const exit = once(child, 'exit');
    expect(await readUntil(child.stderr, '\n')).toContain(reason);
    expect((await exit)[0]).toBe(2);
  });
});
