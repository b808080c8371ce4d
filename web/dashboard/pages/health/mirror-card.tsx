import type { MirrorState } from '../../../generated/graphql.ts';
import { Badge } from '../../../shared/components/badge.tsx';
import { Card } from '../../../shared/components/card.tsx';
import { Facts } from '../../../shared/components/facts.tsx';
import { health as text } from '../../../shared/text/health.ts';
import { formatDuration } from '../../../shared/time/duration.ts';
import { levelOfMirror, type ServiceHealth } from './levels.ts';

const STATES = Object.keys(text.states) as readonly MirrorState[];

/** Blocks arrive several times a second, so a shorter silence is shown as "just now". */
const RECENT_SECONDS = 5;

/** How well dues follows the chain, and what each state means. */
export function MirrorCard({
  mirror: { state, slotsBehind, silentSeconds, doubt },
}: Pick<ServiceHealth, 'mirror'>) {
  return (
    <Card title={text.mirror} description={text.mirrorHint}>
      <Badge tone={levelOfMirror(state)}>{text.states[state]}</Badge>
      <p className="mt-1 mb-3 text-soft">{text.stateHints[state]}</p>
      <Facts
        facts={[
          { label: text.slotsBehind, value: slotsBehind === null ? text.unknown : text.slots(slotsBehind) },
          { label: text.lastBlock, value: formatSilence(silentSeconds) },
          { label: text.doubt, value: doubt },
        ]}
      />
      <details className="mt-5">
        <summary className="w-fit rounded-sm font-medium">{text.legend}</summary>
        <dl className="mt-3 grid gap-4">
          {STATES.map((explained) => (
            <div key={explained}>
              <dt>
                <Badge tone={levelOfMirror(explained)}>{text.states[explained]}</Badge>
              </dt>
              <dd className="mt-1 text-soft">{text.stateHints[explained]}</dd>
            </div>
          ))}
        </dl>
      </details>
    </Card>
  );
}

function formatSilence(silentSeconds: number | null): string {
  if (silentSeconds === null) return text.never;
  if (silentSeconds <= RECENT_SECONDS) return text.justNow;
  // A long silence is shown in whole minutes.
  const seconds = silentSeconds < 120 ? silentSeconds : silentSeconds - (silentSeconds % 60);
  return text.ago(formatDuration(seconds));
}
