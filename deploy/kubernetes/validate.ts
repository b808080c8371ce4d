// Validates the manifests with the schemas of the npm package kubernetes-models. The variable
// KUBERNETES_MODELS names the folder in which it is installed.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseAllDocuments } from 'yaml';

const MODELS = join(process.env.KUBERNETES_MODELS ?? '', 'node_modules/kubernetes-models');
let failed = 0;
for (const name of readdirSync(import.meta.dirname).filter((file) => file.endsWith('.yaml'))) {
  for (const document of parseAllDocuments(readFileSync(`${import.meta.dirname}/${name}`, 'utf8'))) {
    const manifest = document.toJS();
    const [group, version = group] = manifest.apiVersion.split('/');
    const folder = manifest.apiVersion.includes('/') ? `${group}/${version}` : version;
    const models = await import(pathToFileURL(join(MODELS, folder, 'index.js')).href);
    try {
      new models[manifest.kind](manifest).validate();
      console.log(`${name}: ${manifest.kind} ${manifest.metadata.name}`);
    } catch (error) {
      failed += 1;
      console.error(`${name}: ${manifest.kind} ${manifest.metadata.name}: ${(error as Error).message}`);
    }
  }
}
process.exitCode = failed > 0 ? 1 : 0;
