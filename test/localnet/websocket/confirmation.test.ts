import {
  airdropFactory,
  appendTransactionMessageInstruction,
  assertIsTransactionWithBlockhashLifetime,
  createSolanaRpc,
  createSolanaRpcSubscriptions,
  createTransactionMessage,
  generateKeyPairSigner,
  getSignatureFromTransaction,
  lamports,
  pipe,
  sendAndConfirmTransactionFactory,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransactionMessageWithSigners,
} from '@solana/kit';
import {
  Keypair,
  LAMPORTS_PER_SOL,
  SystemProgram,
  sendAndConfirmTransaction,
  Transaction,
} from '@solana/web3.js';
import { getTransferSolInstruction } from '@solana-program/system';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Network } from '../../../localnet/network.ts';
import { startRpcServer } from '../../../localnet/rpc.ts';
import { startWebSocketServer } from '../../../localnet/websocket.ts';
import { web3Connection } from './web3-connection.ts';

const ONE_SOL = 1_000_000_000n;

/** A network with timed slots or with one slot per transaction, with both servers. */
async function startCluster(slotMs: number) {
  const network = new Network({ slotMs });
  const anyPort = { host: '127.0.0.1', port: 0 };
  const [http, webSocket] = [
    await startRpcServer(network, anyPort),
    await startWebSocketServer(network, anyPort),
  ];
  network.start();
  onTestFinished(async () => {
    network.stop();
    await Promise.all([http.close(), webSocket.close()]);
  });
  return { rpcUrl: `http://127.0.0.1:${http.port}`, webSocketUrl: `ws://127.0.0.1:${webSocket.port}` };
}

describe.each([
  ['has timed slots', 20],
  ['has one slot per transaction', 0],
])('on a network that %s', (_how, slotMs) => {
  it('@solana/kit airdrops, sends and confirms', async () => {
    const { rpcUrl, webSocketUrl } = await startCluster(slotMs);
    const rpc = createSolanaRpc(rpcUrl);
    const rpcSubscriptions = createSolanaRpcSubscriptions(webSocketUrl);
    const [payer, receiver] = [await generateKeyPairSigner(), await generateKeyPairSigner()];
    const airdrop = airdropFactory({ rpc, rpcSubscriptions } as Parameters<typeof airdropFactory>[0]);
    await airdrop({
      recipientAddress: payer.address,
      lamports: lamports(10n * ONE_SOL),
      commitment: 'confirmed',
    });
    const { value: blockhash } = await rpc.getLatestBlockhash().send();
    const transaction = await signTransactionMessageWithSigners(
      pipe(
        createTransactionMessage({ version: 0 }),
        (message) => setTransactionMessageFeePayerSigner(payer, message),
        (message) => setTransactionMessageLifetimeUsingBlockhash(blockhash, message),
        (message) =>
          appendTransactionMessageInstruction(
            getTransferSolInstruction({ source: payer, destination: receiver.address, amount: ONE_SOL }),
            message,
          ),
      ),
    );
    assertIsTransactionWithBlockhashLifetime(transaction);
    const send = sendAndConfirmTransactionFactory({ rpc, rpcSubscriptions });
    await send(transaction, { commitment: 'confirmed' });
    const signature = getSignatureFromTransaction(transaction);
    const { value: statuses } = await rpc.getSignatureStatuses([signature]).send();
    expect(statuses).toMatchObject([{ err: null }]);
  });

  it('@solana/web3.js airdrops, sends and confirms', async () => {
    const { rpcUrl, webSocketUrl } = await startCluster(slotMs);
    const connection = web3Connection(webSocketUrl, rpcUrl);
    const [payer, receiver] = [Keypair.generate(), Keypair.generate().publicKey];
    const airdrop = await connection.requestAirdrop(payer.publicKey, 10 * LAMPORTS_PER_SOL);
    await connection.confirmTransaction({
      signature: airdrop,
      ...(await connection.getLatestBlockhash()),
    });
    const transfer = SystemProgram.transfer({
      fromPubkey: payer.publicKey,
      toPubkey: receiver,
      lamports: LAMPORTS_PER_SOL,
    });
    const signature = await sendAndConfirmTransaction(connection, new Transaction().add(transfer), [payer]);
    expect(await connection.getSignatureStatus(signature)).toMatchObject({ value: { err: null } });
    expect(await connection.getBalance(receiver)).toBe(LAMPORTS_PER_SOL);
  });
});
