/** Random input that anyone could send. */
import fc from 'fast-check';
import {
  type GraphQLInputType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isRequiredInputField,
} from 'graphql';

const TEXTS = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\ud800',
  '\udfff tail',
  '\u202e',
  '__proto__',
  'constructor',
  'hasOwnProperty',
  'null',
  'undefined',
  'NaN',
  '-1',
  '1e9',
  '0x10',
  '%00',
  '%',
  "' OR 1=1 --",
  '"; DROP TABLE "Plan"; --',
  '$1',
  '{{7*7}}',
  '<script>',
  '../../etc/passwd',
  'javascript:alert(1)',
  'http://[::1',
  'a@b',
  '00000000-0000-0000-0000-000000000000',
  'R1BDOlM6MDAwMDAwMDAtMDAwMC0wMDAwLTAwMDAtMDAwMDAwMDAwMDAw',
  'R1BDOlM6Og==',
  '11111111111111111111111111111111',
  'x'.repeat(5_000),
  '💥'.repeat(300),
];

const MOMENTS = [
  '0000-01-01T00:00:00Z',
  '0001-01-01T00:00:00+14:00',
  '9999-12-31T23:59:59-23:59',
  '9999-12-31T23:59:59.999Z',
  '2026-02-30T00:00:00Z',
  '2026-12-01T24:00:00Z',
  '2026-12-01',
  '1970-01-01T00:00:00Z',
  '2026-12-01T00:00:00Z',
];

export const hostileText = fc.oneof(
  fc.constantFrom(...TEXTS, ...MOMENTS),
  fc.string({ unit: 'binary', maxLength: 40 }),
);
const hostileNumber = fc.oneof(
  fc.constantFrom(
    0,
    -0,
    -1,
    1,
    101,
    2 ** 31 - 1,
    -(2 ** 31),
    2 ** 31,
    2 ** 53,
    -(2 ** 63),
    1e308,
    0.5,
    5e-324,
  ),
  fc.integer(),
);
const deepJson = fc.constantFrom(nested(20), nested(70), nested(2_000));
/** JSON of any shape, including keys with a meaning in JavaScript. */
export const hostileJson: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 4, arbitrary: hostileText },
  hostileNumber,
  fc.constantFrom(null, true, false, [], {}, [[]], [null]),
  deepJson,
  fc.array(fc.oneof(hostileText, hostileNumber), { maxLength: 3 }),
  fc
    .tuple(fc.constantFrom('__proto__', 'constructor', 'toString', '', 'a\0', 'key'), hostileText)
    .map(([key, value]) => JSON.parse(`{${JSON.stringify(key)}:${JSON.stringify(value)}}`)),
);

function nested(depth: number): unknown {
  return JSON.parse(`${'{"a":['.repeat(depth)}1${']}'.repeat(depth)}`);
}

/** Values for an argument: mostly of its type and near its limits, sometimes of another type. */
export function hostileValueFor(type: GraphQLInputType): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 9, arbitrary: typed(type) }, { weight: 1, arbitrary: hostileJson });
}

function typed(type: GraphQLInputType): fc.Arbitrary<unknown> {
  if (isNonNullType(type)) return typed(type.ofType);
  if (isListType(type)) return fc.array(hostileValueFor(type.ofType), { maxLength: 3 });
  if (isEnumType(type)) return fc.constantFrom(...type.getValues().map(({ name }) => name));
  if (isInputObjectType(type)) {
    const fields = Object.values(type.getFields());
    const shapes = Object.fromEntries(fields.map((field) => [field.name, hostileValueFor(field.type)]));
    const requiredKeys = fields.filter(isRequiredInputField).map(({ name }) => name);
    return fc.record(shapes, { requiredKeys });
  }
  switch (type.name) {
    case 'Int':
    case 'Float':
      return hostileNumber;
    case 'Boolean':
      return fc.boolean();
    case 'DateTime':
      return fc.constantFrom(...MOMENTS);
    case 'TokenAmount':
      return fc.constantFrom(
        '0',
        '1',
        '-1',
        '18446744073709551615',
        '18446744073709551616',
        '9'.repeat(40),
        '1.5',
      );
    case 'JSON':
      return hostileJson;
    default:
      return hostileText;
  }
}
