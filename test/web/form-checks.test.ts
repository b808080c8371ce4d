import { expect, it } from 'vitest';
import {
  findErrors,
  optionalAddress,
  required,
  withoutParam,
} from '../../web/shared/components/form-checks.ts';
import { toBaseUnits } from '../../web/shared/money/base-units.ts';

it('finds all errors of a form at once', () => {
  const checks = { name: required('Enter a name.'), imageUrl: optionalAddress };
  expect(findErrors({ name: ' ', imageUrl: 'http://a' }, checks)).toEqual({
    name: 'Enter a name.',
    imageUrl: 'Enter an address that begins with https://.',
  });
  expect(findErrors({ name: 'Pro', imageUrl: '' }, checks)).toEqual({});
});

it.each([
  ['imageUrl must be an https URL.', 'imageUrl', 'This must be an https URL.'],
  ['A plan with the id pro already exists.', 'planId', 'A plan with the id pro already exists.'],
])('says "%s" beside its field', (message, field, shown) => {
  expect(withoutParam(message, field)).toBe(shown);
});

it.each([
  ['12.5', '12500000'],
  ['12,5', '12500000'],
  [' 9,99 ', '9990000'],
  ['0,999', '999000'],
  ['1000', '1000000000'],
  ['1.000', '1000000'],
  ['1000,000', '1000000000'],
  ['0,0000001', undefined],
  ['1,000', undefined],
  ['123,456', undefined],
  ['1,234.50', undefined],
  ['1.234,50', undefined],
  ['0', undefined],
  ['', undefined],
  ['-1', undefined],
])('reads "%s" as %s base units', (typed, units) => {
  expect(toBaseUnits(typed, 6)).toBe(units);
});
