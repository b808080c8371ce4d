import type { LinkData, LinkOffData } from '../../../src/api/pages/page-data.ts';
import { trialText } from '../../../src/domain/catalog/money/duration-text.ts';
import { Button } from '../../shared/components/button.tsx';
import { Card } from '../../shared/components/card.tsx';
import { Field } from '../../shared/components/field.tsx';
import { offer as offerText } from '../../shared/text/offer.ts';
import { paymentLink as text } from '../../shared/text/payment-link.ts';
import { Foot, Offer, SupportLine, TrialNote } from '../offer/offer.tsx';
import type { PageView } from '../shared/document.tsx';
import { Frame, Heading, Problem } from '../shared/frame.tsx';
import { TestNote } from '../shared/test-note.tsx';

const documentOf = {
  title: ({ company, planName }: LinkOffData) => offerText.titleAt(planName, company.name),
  description: ({ company, planName }: LinkOffData) => offerText.description(planName, company.name),
};
const PROBLEM_ID = 'problem';

/** The offer of a payment link, with the form that opens a checkout. */
export const link: PageView<LinkData> = {
  ...documentOf,
  hasForm: true,
  Content: (data) => {
    const { company, isTest, offer, trialSeconds, path } = data;
    return (
      <Frame company={company}>
        {isTest && <TestNote>{offerText.testMode}</TestNote>}
        <Card>
          <Offer offer={offer} trial={trialSeconds > 0 && <TrialNote>{trialText(trialSeconds)}</TrialNote>} />
          <EmailForm path={path} email={data.email} isInvalid={data.isInvalid} />
        </Card>
        <LinkFoot {...data} />
      </Frame>
    );
  },
};

function EmailForm({ path, email, isInvalid }: Pick<LinkData, 'path' | 'email' | 'isInvalid'>) {
  return (
    <form method="post" action={path} className="mt-5 grid gap-3 border-t border-line pt-5">
      {isInvalid && <Problem id={PROBLEM_ID}>{text.emailInvalid}</Problem>}
      <Field label={text.email}>
        {(control) => (
          <input
            {...control}
            name="customerEmail"
            type="email"
            required
            maxLength={254}
            autoComplete="email"
            defaultValue={email}
            aria-invalid={isInvalid}
            aria-describedby={isInvalid ? PROBLEM_ID : undefined}
            // biome-ignore lint/a11y/noAutofocus: the field is what the customer has to correct
            autoFocus={isInvalid}
            className={`${control.className} min-h-11`}
          />
        )}
      </Field>
      <Button type="submit" kind="primary" className="min-h-11 w-full">
        {text.submit}
      </Button>
      <p className="text-soft">{text.hint}</p>
    </form>
  );
}

/** The page of a link that is off, or whose plan is closed to new customers. */
export const linkOff: PageView<LinkOffData> = {
  ...documentOf,
  hasForm: true,
  Content: (data) => (
    <Frame company={data.company}>
      <Card>
        <Heading hint={text.offHint(data.company.name)}>{text.off}</Heading>
      </Card>
      <LinkFoot {...data} />
    </Frame>
  ),
};

function LinkFoot({ supportEmail, cancelUrl }: LinkOffData) {
  return (
    <Foot>
      {cancelUrl !== null && (
        <p>
          <a href={cancelUrl}>{text.back}</a>
        </p>
      )}
      <SupportLine email={supportEmail} />
    </Foot>
  );
}
