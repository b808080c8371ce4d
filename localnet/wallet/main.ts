import { importAccount } from './accounts.ts';
import { LocalWallet } from './local-wallet.ts';
import { readSettings } from './network.ts';
import { registerWallet } from './wallet-standard.ts';

// A wallet for tests by hand: it holds test money of the local network that serves it.

const { usdcMint, accounts } = await readSettings();
const networkAccounts = await Promise.all(accounts.map(({ name, keyPair }) => importAccount(name, keyPair)));
registerWallet(new LocalWallet(networkAccounts, usdcMint));
