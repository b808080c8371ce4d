import type { SettingsPageQuery } from '../../../generated/graphql.ts';
import { graphql } from '../../../shared/api/graphql.ts';
import { useChange } from '../../../shared/api/query.ts';
import { usePermissions } from '../../../shared/api/viewer.ts';
import { Field } from '../../../shared/components/field.tsx';
import { required } from '../../../shared/components/form-checks.ts';
import { OnChain } from '../../../shared/components/on-chain.tsx';
import { useToast } from '../../../shared/components/toasts.tsx';
import { useApiForm } from '../../../shared/components/use-api-form.ts';
import { labels } from '../../../shared/text/labels.ts';
import { settings as text } from '../../../shared/text/settings.ts';
import { FormCard } from './form-card.tsx';
import { LogoField } from './logo-field.tsx';

const UPDATE_PROFILE = graphql(/* GraphQL */ `
  mutation UpdateProfile($input: MerchantProfileInput!) {
    updateMerchantProfile(input: $input) {
      companyName
    }
  }
`);

/** The merchant's details that customers see. Only owners can change them. */
export function CompanyCard({ merchant }: { readonly merchant: SettingsPageQuery['merchant'] }) {
  const permissions = usePermissions();
  const toast = useToast();
  const update = useChange(UPDATE_PROFILE, { onDone: () => toast(text.saved) });
  const defaults = {
    companyName: merchant.companyName,
    brandColor: merchant.brandColor ?? '',
    supportEmail: merchant.supportEmail ?? '',
    legalName: merchant.legalName ?? '',
    postalAddress: merchant.postalAddress ?? '',
    taxId: merchant.taxId ?? '',
  };
  const apiForm = useApiForm(defaults, { companyName: required(text.companyNameMissing) });
  const { form, errorOf } = apiForm;
  return (
    <FormCard
      title={text.company}
      description={text.companyHint}
      apiForm={apiForm}
      forbidden={permissions.own ? undefined : labels.ownersOnly}
      send={({ companyName, ...optional }) =>
        update.mutateAsync({
          input: {
            companyName,
            brandColor: optional.brandColor.trim() || null,
            supportEmail: optional.supportEmail.trim() || null,
            legalName: optional.legalName.trim() || null,
            postalAddress: optional.postalAddress.trim() || null,
            taxId: optional.taxId.trim() || null,
          },
        })
      }
    >
      <Field label={text.companyName} error={errorOf('companyName')}>
        {(control) => <input {...control} autoComplete="organization" {...form.register('companyName')} />}
      </Field>
      <LogoField logoUrl={merchant.logoUrl} isAllowed={permissions.own} />
      <Field label={text.brandColor} hint={text.brandColorHint} error={errorOf('brandColor')}>
        {(control) => <input {...control} placeholder="#4338ca" {...form.register('brandColor')} />}
      </Field>
      <Field label={text.supportEmail} hint={text.supportEmailHint} error={errorOf('supportEmail')}>
        {(control) => (
          <input
            {...control}
            inputMode="email"
            placeholder="help@shop.example"
            {...form.register('supportEmail')}
          />
        )}
      </Field>
      <Field label={text.legalName} hint={text.legalNameHint} error={errorOf('legalName')}>
        {(control) => <input {...control} {...form.register('legalName')} />}
      </Field>
      <Field label={text.postalAddress} hint={text.postalAddressHint} error={errorOf('postalAddress')}>
        {(control) => <textarea {...control} rows={3} {...form.register('postalAddress')} />}
      </Field>
      <Field label={text.taxId} hint={text.taxIdHint} error={errorOf('taxId')}>
        {(control) => <input {...control} {...form.register('taxId')} />}
      </Field>
      <div>
        <p className="mb-1 font-medium">{text.wallet}</p>
        <OnChain kind="address" value={merchant.walletAddress} />
        <p className="mt-1 text-xs leading-4 text-soft">{text.walletHint}</p>
      </div>
    </FormCard>
  );
}
