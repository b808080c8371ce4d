import type { UseFormRegisterReturn } from 'react-hook-form';
import { Field } from '../../../shared/components/field.tsx';
import { discountForm as text } from '../../../shared/text/discounts.ts';

const LIMITS = ['maxRedemptions', 'maxPerCustomer'] as const;
type Limit = (typeof LIMITS)[number];

interface LimitFieldsProps {
  readonly register: (name: Limit) => UseFormRegisterReturn;
  readonly errorOf: (name: Limit) => string | undefined;
}

/** Fields for how often a discount can be used, of all customers and of one. */
export function LimitFields({ register, errorOf }: LimitFieldsProps) {
  return LIMITS.map((name) => (
    <Field key={name} label={text[name]} error={errorOf(name)}>
      {(control) => (
        <input
          {...control}
          {...register(name)}
          inputMode="numeric"
          autoComplete="off"
          placeholder={text.unlimited}
        />
      )}
    </Field>
  ));
}
