import { Icon } from '../../shared/components/icon.tsx';
import { welcome as text } from '../../shared/text/welcome.ts';
import type { PageView } from '../shared/document.tsx';
import { Frame, Heading } from '../shared/frame.tsx';

/** The start page of the service, with links to the dashboard, the portal and the documentation. */
export const welcome: PageView<object> = {
  title: () => text.title,
  Content: () => (
    <Frame>
      <Heading hint={text.hint}>{text.title}</Heading>
      <ul className="divide-y divide-line rounded-lg border border-line bg-surface shadow-low">
        {text.doors.map(({ path, name, hint }) => (
          <li key={path}>
            <a href={path} className="flex items-center gap-3 p-4 text-ink no-underline hover:bg-sunken">
              <span className="min-w-0 flex-1">
                <strong className="block font-semibold text-accent">{name}</strong>
                {hint}
              </span>
              <Icon name="chevronRight" className="size-5 text-soft" />
            </a>
          </li>
        ))}
      </ul>
      <p className="text-soft">
        {text.programs} <code>/graphql</code>,{' '}
        <a href="/openapi.json" className="underline">
          /openapi.json
        </a>
        , and{' '}
        <a href="/health" className="underline">
          /health
        </a>
        .
      </p>
    </Frame>
  ),
};
