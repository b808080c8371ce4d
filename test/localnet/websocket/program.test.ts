import { getBase58Decoder } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { SYSTEM_PROGRAM } from '../../../localnet/accounts.ts';
import { writeAccount } from '../../../tools/world/wallet.ts';
import { newAddress, ONE_SOL } from '../rpc/world.ts';
import { COMMITMENTS, startWorld } from './world.ts';

const base58 = getBase58Decoder();

describe('programSubscribe', () => {
  it.each(COMMITMENTS)("notifies of the program's accounts when they are %s", async (commitment) => {
    const { network, connect, reach } = await startWorld();
    const client = await connect();
    const [program, first, second] = [await newAddress(), await newAddress(), await newAddress()];
    const id = await client.subscribe('programSubscribe', program, { commitment, encoding: 'base64' });
    const slot = network.slot('processed');
    writeAccount(network, first, { owner: program, data: Uint8Array.from([1]) });
    writeAccount(network, second, { owner: program, data: Uint8Array.from([2]) });
    writeAccount(network, await newAddress(), { owner: await newAddress() });
    if (commitment !== 'processed') {
      await client.untilCaughtUp();
      expect(client.notifications).toEqual([]);
    }
    reach(commitment);
    await client.untilCaughtUp();
    const keyed = (pubkey: string, data: string) => ({
      context: { slot },
      value: {
        pubkey,
        account: {
          lamports: Number(ONE_SOL),
          data: [data, 'base64'],
          owner: program,
          executable: false,
          rentEpoch: expect.any(Number),
          space: 1,
        },
      },
    });
    expect(client.notificationsOf(id)).toEqual([keyed(first, 'AQ=='), keyed(second, 'Ag==')]);
    expect(client.notifications.map(({ method }) => method)).toEqual(Array(2).fill('programNotification'));
  });

  it('notifies only of accounts that pass all filters after the write', async () => {
    const { network, connect } = await startWorld();
    const client = await connect();
    const [program, address] = [await newAddress(), await newAddress()];
    const id = await client.subscribe('programSubscribe', program, {
      commitment: 'processed',
      encoding: 'base64',
      filters: [{ dataSize: 3 }, { memcmp: { offset: 1, bytes: base58.decode(Uint8Array.from([7])) } }],
    });
    for (const data of [
      [1, 7],
      [1, 8, 3],
      [1, 7, 3],
    ]) {
      writeAccount(network, address, { owner: program, data: Uint8Array.from(data) });
    }
    await client.untilCaughtUp();
    expect(client.notificationsOf(id)).toMatchObject([{ value: { account: { data: ['AQcD', 'base64'] } } }]);
  });

  it('does not notify of an account that is closed or leaves the program', async () => {
    const { network, connect, reach } = await startWorld();
    const client = await connect();
    const [program, address] = [await newAddress(), await newAddress()];
    writeAccount(network, address, { owner: program });
    reach('finalized');
    for (const commitment of COMMITMENTS) {
      await client.subscribe('programSubscribe', program, { commitment });
      await client.subscribe('programSubscribe', SYSTEM_PROGRAM, { commitment });
    }
    writeAccount(network, address, { owner: await newAddress() });
    writeAccount(network, address, { lamports: 0n });
    reach('finalized');
    await client.untilCaughtUp();
    expect(client.notifications).toEqual([]);
  });

  it('ends with programUnsubscribe', async () => {
    const { network, connect } = await startWorld();
    const client = await connect();
    const program = await newAddress();
    const id = await client.subscribe('programSubscribe', program, { commitment: 'processed' });
    expect(await client.call('programUnsubscribe', [id])).toMatchObject({ result: true });
    writeAccount(network, await newAddress(), { owner: program });
    await client.untilCaughtUp();
    expect(client.notifications).toEqual([]);
  });
});
