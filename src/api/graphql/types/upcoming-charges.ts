import { type ShortWallets, shortWallets } from '../../../domain/insight/forecast/short-wallets.ts';
import {
  endOfForecast,
  type UpcomingCharge,
  upcomingCharges,
} from '../../../domain/insight/forecast/upcoming-charges.ts';
import { builder } from '../builder.ts';
import { scopeOf } from '../context.ts';
import { countWalletReads } from '../loaders/wallet-states.ts';
import { MintAmountRef } from './metrics.ts';

interface Charge extends UpcomingCharge {
  /** Reads the wallets of the whole range, once. */
  readonly wallets: () => Promise<readonly ShortWallets[]>;
}

const UpcomingChargeRef = builder.objectRef<Charge>('UpcomingCharge').implement({
  description: 'Payments in one token that are due on one UTC day.',
  fields: (t) => ({
    day: t.exposeString('day', { description: 'The day in UTC: `2026-12-01`.' }),
    count: t.exposeInt('count', { description: 'Number of payments.' }),
    amount: t.field({
      type: MintAmountRef,
      description: 'Total of these payments.',
      resolve: ({ mint, amount }) => ({ mint, amount }),
    }),
    short: t.int({
      complexity: 500,
      description:
        'Number of the checked wallets whose first payment that they could not make now is due on this day: the approval is missing, the token account is frozen, or the balance less the earlier payments is below the price. Counts as 500 fields towards the limit of a query. Errors: `rate_limit_exceeded` after 1000 wallets a minute.',
      resolve: async (charge) => (await walletsOf(charge))?.short ?? 0,
    }),
    shortChecked: t.int({
      complexity: 500,
      description:
        'Number of wallets that were checked, at most a minute ago. dues checks the wallets of the first 500 subscriptions that are due in the whole range; each wallet counts once, on the day of its first payment. Counts as 500 fields towards the limit of a query. Errors: `rate_limit_exceeded` after 1000 wallets a minute.',
      resolve: async (charge) => (await walletsOf(charge))?.checked ?? 0,
    }),
  }),
});

async function walletsOf({ wallets, day, mint }: Charge): Promise<ShortWallets | undefined> {
  return (await wallets()).find((counts) => counts.day === day && counts.mint === mint);
}

builder.queryFields((t) => ({
  upcomingCharges: t.field({
    type: [UpcomingChargeRef],
    args: {
      until: t.arg.string({
        required: true,
        description: 'Last day, in UTC: `2026-12-31`; at most 31 days including today.',
      }),
    },
    description:
      'Payments that are due from now to the end of a day if nobody cancels, by day and token. Overdue payments count for today. Errors: `authentication_error`; `invalid_request`, param `until`.',
    resolve: async (_root, { until }, context) => {
      const scope = scopeOf(context);
      const now = context.app.clock.now();
      const range = { now, end: endOfForecast(until, now) };
      let read: Promise<ShortWallets[]> | undefined;
      const wallets = () => {
        read ??= shortWallets(context.app, scope, range, (count) => countWalletReads(context, count));
        return read;
      };
      const charges = await upcomingCharges(context.app, scope, range);
      return charges.map((charge) => ({ ...charge, wallets }));
    },
  }),
}));
