import type { CodegenConfig } from '@graphql-codegen/cli';

/** Types of the GraphQL documents in our own clients, from schema.graphql: `graphql-codegen`. */
const config: CodegenConfig = {
  schema: 'schema.graphql',
  documents: ['test/api/**/*.ts', '!test/api/generated/**'],
  ignoreNoDocuments: true,
  importExtension: '.ts',
  generates: {
    'test/api/generated/': {
      preset: 'client',
      presetConfig: { fragmentMasking: false },
      config: {
        useTypeImports: true,
        enumsAsTypes: true,
        strictScalars: true,
        scalars: { TokenAmount: 'string', DateTime: 'string', JSON: 'unknown' },
      },
    },
  },
};

export default config;
