import { AccountState, getMintEncoder, getTokenEncoder } from '@solana-program/token';
import { describe, expect, it } from 'vitest';
import { SYSTEM_PROGRAM } from '../../../localnet/accounts.ts';
import { TOKEN_PROGRAM } from '../../../localnet/token.ts';
import { writeAccount } from '../../../tools/world/wallet.ts';
import { newAddress, ONE_SOL } from '../rpc/world.ts';
import { COMMITMENTS, startWorld } from './world.ts';

const RENT_EXEMPT = 18_446_744_073_709_552_000;

describe('accountSubscribe', () => {
  it.each(COMMITMENTS)('notifies when a change is %s, and not before', async (commitment) => {
    const { network, receiver, connect, transfer, reach } = await startWorld();
    const client = await connect();
    const id = await client.subscribe('accountSubscribe', receiver, { commitment, encoding: 'base64' });
    const slot = network.slot('processed');
    await transfer();
    for (const earlier of COMMITMENTS.slice(0, COMMITMENTS.indexOf(commitment))) {
      reach(earlier);
      await client.untilCaughtUp();
      expect(client.notificationsOf(id)).toEqual([]);
    }
    reach(commitment);
    await client.untilCaughtUp();
    expect(client.notifications).toEqual([
      {
        jsonrpc: '2.0',
        method: 'accountNotification',
        params: {
          result: {
            context: { slot },
            value: {
              lamports: Number(ONE_SOL),
              data: ['', 'base64'],
              owner: SYSTEM_PROGRAM,
              executable: false,
              rentEpoch: RENT_EXEMPT,
              space: 0,
            },
          },
          subscription: id,
        },
      },
    ]);
  });

  it('waits for finalization and sends plain base58 by default', async () => {
    const { network, connect, reach } = await startWorld();
    const client = await connect();
    const address = await newAddress();
    const id = await client.subscribe('accountSubscribe', address);
    writeAccount(network, address, { data: Uint8Array.from([1, 2, 3]) });
    reach('confirmed');
    await client.untilCaughtUp();
    expect(client.notificationsOf(id)).toEqual([]);
    reach('finalized');
    await client.untilCaughtUp();
    expect(client.notificationsOf(id)).toMatchObject([{ value: { data: 'Ldp' } }]);
  });

  it('notifies of every write at processed, and of a slot’s last one later', async () => {
    const { network, receiver, connect, transfer, reach } = await startWorld();
    const client = await connect();
    const ids = new Map<string, number>();
    for (const commitment of COMMITMENTS) {
      ids.set(commitment, await client.subscribe('accountSubscribe', receiver, { commitment }));
    }
    const slot = network.slot('processed');
    await transfer(ONE_SOL);
    await transfer(2n * ONE_SOL);
    network.tick();
    await transfer(3n * ONE_SOL);
    reach('finalized');
    await client.untilCaughtUp();
    const notifiedLamports = (commitment: string) =>
      client.notificationsOf(ids.get(commitment)).map((result) => {
        const { context, value } = result as { context: { slot: number }; value: { lamports: number } };
        return [context.slot - slot, value.lamports / Number(ONE_SOL)];
      });
    expect(notifiedLamports('processed')).toEqual([
      [0, 1],
      [0, 3],
      [1, 6],
    ]);
    const lastOfEachSlot = [
      [0, 3],
      [1, 6],
    ];
    expect(notifiedLamports('confirmed')).toEqual(lastOfEachSlot);
    expect(notifiedLamports('finalized')).toEqual(lastOfEachSlot);
  });

  it('notifies a client that subscribes between two commitments of the later one', async () => {
    const { receiver, connect, transfer, reach } = await startWorld();
    const client = await connect();
    await transfer();
    reach('confirmed');
    const late = await client.subscribe('accountSubscribe', receiver, { commitment: 'finalized' });
    const tooLate = await client.subscribe('accountSubscribe', receiver, { commitment: 'confirmed' });
    reach('finalized');
    await client.untilCaughtUp();
    expect(client.notificationsOf(late)).toMatchObject([{ value: { lamports: Number(ONE_SOL) } }]);
    expect(client.notificationsOf(tooLate)).toEqual([]);
  });

  it('sends a closed account as an empty one of the system program', async () => {
    const { network, connect } = await startWorld();
    const client = await connect();
    const address = await newAddress();
    writeAccount(network, address, { owner: TOKEN_PROGRAM, data: new Uint8Array(10) });
    const id = await client.subscribe('accountSubscribe', address, {
      commitment: 'processed',
      encoding: 'base64',
    });
    writeAccount(network, address, { lamports: 0n });
    await client.untilCaughtUp();
    expect(client.notificationsOf(id)).toMatchObject([
      { value: { lamports: 0, owner: SYSTEM_PROGRAM, data: ['', 'base64'], space: 0 } },
    ]);
  });

  it.each(COMMITMENTS)('parses a token account with its mint as %s', async (commitment) => {
    const { network, connect, reach } = await startWorld();
    const client = await connect();
    const [mint, owner, address] = [await newAddress(), await newAddress(), await newAddress()];
    const mintData = getMintEncoder().encode({
      mintAuthority: owner,
      supply: 5_000_000n,
      decimals: 6,
      isInitialized: true,
      freezeAuthority: null,
    });
    const data = getTokenEncoder().encode({
      mint,
      owner,
      amount: 1_500_000n,
      delegate: null,
      state: AccountState.Initialized,
      isNative: null,
      delegatedAmount: 0n,
      closeAuthority: null,
    });
    const id = await client.subscribe('accountSubscribe', address, { commitment, encoding: 'jsonParsed' });
    writeAccount(network, mint, { owner: TOKEN_PROGRAM, data: mintData as Uint8Array });
    writeAccount(network, address, { owner: TOKEN_PROGRAM, data: data as Uint8Array });
    reach(commitment);
    await client.untilCaughtUp();
    expect(client.notificationsOf(id)).toMatchObject([
      {
        value: {
          data: {
            program: 'spl-token',
            parsed: { type: 'account', info: { mint, owner, tokenAmount: { uiAmountString: '1.5' } } },
          },
        },
      },
    ]);
  });

  it('sends lamports with all their digits', async () => {
    const { network, connect } = await startWorld();
    const client = await connect();
    const address = await newAddress();
    await client.subscribe('accountSubscribe', address, { commitment: 'processed' });
    const texts: string[] = [];
    client.socket.on('message', (text) => texts.push(String(text)));
    writeAccount(network, address, { lamports: 9_007_199_254_740_993n });
    await client.untilCaughtUp();
    expect(texts[0]).toContain('"lamports":9007199254740993,');
  });

  it('does not notify of other accounts, nor after accountUnsubscribe', async () => {
    const { network, receiver, connect, transfer } = await startWorld();
    const client = await connect();
    const id = await client.subscribe('accountSubscribe', receiver, { commitment: 'processed' });
    writeAccount(network, await newAddress());
    expect(await client.call('accountUnsubscribe', [id])).toMatchObject({ result: true });
    await transfer();
    await client.untilCaughtUp();
    expect(client.notifications).toEqual([]);
  });
});
