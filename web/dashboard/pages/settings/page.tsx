import { useQuery } from '@tanstack/react-query';
import { createLazyRoute } from '@tanstack/react-router';
import { graphql } from '../../../shared/api/graphql.ts';
import { askOptions } from '../../../shared/api/query.ts';
import { Card } from '../../../shared/components/card.tsx';
import { ErrorPanel } from '../../../shared/components/error-panel.tsx';
import { Page } from '../../../shared/components/page.tsx';
import { SkeletonRows } from '../../../shared/components/skeleton.tsx';
import { settings as text } from '../../../shared/text/settings.ts';
import { Preferences } from '../../shell/preferences.tsx';
import { CompanyCard } from './company-card.tsx';
import { MailsCard } from './mails-card.tsx';
import { RECEIVING_ACCOUNTS, ReceivingCards } from './receiving-cards.tsx';
import { RedirectsCard } from './redirects-card.tsx';
import { RetriesCard } from './retries-card.tsx';
import { SESSIONS, SessionsCard } from './sessions-card.tsx';
import { SponsorCard } from './sponsor-card.tsx';

const SETTINGS = graphql(/* GraphQL */ `
  query SettingsPage {
    merchant {
      companyName
      logoUrl
      brandColor
      supportEmail
      legalName
      postalAddress
      taxId
      walletAddress
    }
    settings {
      maxFailures
      retryDelaysSeconds
      graceSeconds
      redirectUrlsAllowed
      sponsorsCustomers
      sponsoredLamportsPerDay
    }
    mailSettings {
      templates
      merchantEmail
      reminderDays
      isAvailable
    }
  }
`);

export const route = createLazyRoute('/app/settings')({ component: SettingsPage });

function SettingsPage() {
  const { data, error, refetch } = useQuery(askOptions(SETTINGS, {}));
  return (
    <Page
      title={text.title}
      description={text.description}
      queries={[
        { document: SETTINGS, variables: {} },
        { document: SESSIONS, variables: {} },
        { document: RECEIVING_ACCOUNTS, variables: {} },
      ]}
    >
      <div className="grid gap-4">
        {error && !data ? (
          <ErrorPanel error={error} onRetry={refetch} />
        ) : !data ? (
          <Card title={text.company} flush>
            <SkeletonRows />
          </Card>
        ) : (
          <>
            <CompanyCard merchant={data.merchant} />
            <MailsCard mails={data.mailSettings} />
            <RetriesCard settings={data.settings} />
            <RedirectsCard redirectUrlsAllowed={data.settings.redirectUrlsAllowed} />
            <SponsorCard settings={data.settings} />
            <ReceivingCards walletAddress={data.merchant.walletAddress} />
          </>
        )}
        <Card title={text.browser} description={text.browserHint}>
          <div className="grid max-w-2xl gap-4 sm:grid-cols-2">
            <Preferences />
          </div>
        </Card>
        <SessionsCard />
      </div>
    </Page>
  );
}
