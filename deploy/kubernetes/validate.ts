// Validates the manifests with the schemas of the npm package kubernetes-models, and with our own
// rules about images, secrets and proxies. The variable KUBERNETES_MODELS names the folder in which
// it is installed. For your own copies: `node validate.ts FOLDER`.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseAllDocuments } from 'yaml';
import { type Manifest, problemsOf } from './rules.ts';

const folder = process.argv[2] ?? import.meta.dirname;
const MODELS = join(process.env.KUBERNETES_MODELS ?? '', 'node_modules/kubernetes-models');
let failed = 0;
const manifests: Manifest[] = [];
for (const name of readdirSync(folder).filter((file) => file.endsWith('.yaml'))) {
  for (const document of parseAllDocuments(readFileSync(join(folder, name), 'utf8'))) {
    const manifest = document.toJS();
    manifests.push(manifest);
    const [group, version = group] = manifest.apiVersion.split('/');
    const models = await import(
      pathToFileURL(
        join(MODELS, manifest.apiVersion.includes('/') ? `${group}/${version}` : version, 'index.js'),
      ).href
    );
    try {
      new models[manifest.kind](manifest).validate();
      console.log(`${name}: ${manifest.kind} ${manifest.metadata.name}`);
    } catch (error) {
      failed += 1;
      console.error(`${name}: ${manifest.kind} ${manifest.metadata.name}: ${(error as Error).message}`);
    }
  }
}
for (const problem of problemsOf(manifests)) {
  failed += 1;
  console.error(problem);
}
process.exitCode = failed > 0 ? 1 : 0;
