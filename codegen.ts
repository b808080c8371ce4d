import { readFileSync } from 'node:fs';
import type { CodegenConfig } from '@graphql-codegen/cli';

const types = {
  useTypeImports: true,
  enumsAsTypes: true,
  strictScalars: true,
  scalars: { TokenAmount: 'string', DateTime: 'string', JSON: 'unknown' },
};
const client = { preset: 'client', presetConfig: { fragmentMasking: false }, config: types } as const;

/**
 * What webhooks carry, for the client: the server's own types, where the database's enums give way to the API's of the
 * same names.
 */
function webhookEvents(): string {
  const source = readFileSync('src/domain/event/types.ts', 'utf8');
  const [imported = ''] = /^import type \{ FailureCode, PlanProblem \} from .*;\n/m.exec(source) ?? [];
  if (imported === '' || source.replace(imported, '').includes('import ')) {
    throw new Error('src/domain/event/types.ts imports what the client cannot: see codegen.ts');
  }
  const note = '// Made from src/domain/event/types.ts by codegen.ts.\n';
  return (
    note + source.replace(imported, "import type { FailureCode, PlanProblem } from './schema-types.ts';\n")
  );
}

/** Types of the GraphQL documents in our own clients, from schema.graphql: `graphql-codegen`. */
const config: CodegenConfig = {
  schema: 'schema.graphql',
  ignoreNoDocuments: true,
  importExtension: '.ts',
  generates: {
    'test/api/generated/': { documents: ['test/api/**/*.ts', '!test/api/generated/**'], ...client },
    'client/generated/': { documents: ['client/*.ts'], ...client },
    'web/generated/': {
      documents: ['web/**/*.{ts,tsx}', '!web/generated/**'],
      ...client,
      config: { ...types, documentMode: 'string' },
    },
    'client/generated/schema-types.ts': { plugins: ['typescript'], config: { ...types, onlyEnums: true } },
    'client/generated/webhook-events.ts': { plugins: [{ add: { content: webhookEvents() } }] },
  },
};

export default config;
