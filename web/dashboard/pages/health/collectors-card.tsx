import { toDecimal } from '../../../../src/domain/catalog/money/decimal-amount.ts';
import { Badge } from '../../../shared/components/badge.tsx';
import { Card } from '../../../shared/components/card.tsx';
import { Facts } from '../../../shared/components/facts.tsx';
import { OnChain } from '../../../shared/components/on-chain.tsx';
import { health as text } from '../../../shared/text/health.ts';
import { type CollectorHealth, levelOfCollector, type ServiceHealth } from './levels.ts';

const SOL_DECIMALS = 9;
const solFormat = new Intl.NumberFormat(undefined, { maximumFractionDigits: 4 });

function formatSol(lamports: string): string {
  const sol = toDecimal(BigInt(lamports), SOL_DECIMALS);
  return `${solFormat.format(sol as Intl.StringNumericLiteral)} SOL`;
}

/** The accounts that pay the fees of collection. */
export function CollectorsCard({ collectors }: Pick<ServiceHealth, 'collectors'>) {
  return (
    <Card title={text.collectors} description={text.collectorsHint}>
      {collectors ? (
        <ul className="grid gap-5">
          {collectors.map((collector) => (
            <Collector key={collector.address} collector={collector} />
          ))}
        </ul>
      ) : (
        <div className="rounded-md bg-bad-ground p-3 text-bad">
          <p className="font-semibold">{text.unreachable}</p>
          <p>{text.unreachableHint}</p>
        </div>
      )}
    </Card>
  );
}

function Collector({ collector }: { readonly collector: CollectorHealth }) {
  const { role, address, lamports, daysLeft } = collector;
  const level = levelOfCollector(collector);
  return (
    <li className="grid gap-3 not-first:border-t not-first:border-line not-first:pt-5">
      <div>
        <div className="flex flex-wrap items-center gap-2">
          <h3 className="font-medium" title={text.roleHints[role]}>
            {text.roles[role]}
          </h3>
          <Badge tone={level}>{text.collectorStates[level]}</Badge>
        </div>
        <p className="mt-1 text-soft">{text.collectorHints[level]}</p>
      </div>
      <Facts
        facts={[
          {
            label: text.balance,
            value: <span className="font-medium tabular-nums">{formatSol(lamports)}</span>,
          },
          { label: text.daysLeft, value: daysLeft === null ? text.noFees : text.days(daysLeft) },
          { label: text.address, value: <OnChain kind="address" value={address} /> },
        ]}
      />
    </li>
  );
}
