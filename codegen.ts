import { readFileSync } from 'node:fs';
import type { CodegenConfig } from '@graphql-codegen/cli';

const types = {
  useTypeImports: true,
  enumsAsTypes: true,
  strictScalars: true,
  scalars: { TokenAmount: 'string', SignedTokenAmount: 'string', DateTime: 'string', JSON: 'unknown' },
};
const client = { preset: 'client', presetConfig: { fragmentMasking: false }, config: types } as const;

/**
 * The event types for the client: the server's types, with the API's enums in place of the
 * database's enums of the same names.
 */
function webhookEvents(): string {
  const source = readFileSync('src/domain/messages/event/types.ts', 'utf8');
  const [imported = ''] =
    /^import type \{ FailureCode, PlanProblem, WaivedReason \} from .*;\n/m.exec(source) ?? [];
  if (imported === '' || source.replace(imported, '').includes('import ')) {
    throw new Error(
      'src/domain/messages/event/types.ts must import only FailureCode, PlanProblem and WaivedReason, because codegen.ts copies it into the client',
    );
  }
  const note = '// Made from src/domain/messages/event/types.ts by codegen.ts.\n';
  return (
    note +
    source.replace(
      imported,
      "import type { FailureCode, PlanProblem, WaivedReason } from './schema-types.ts';\n",
    )
  );
}

/** Settings of `graphql-codegen`: types of our clients' GraphQL documents, from schema.graphql. */
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
