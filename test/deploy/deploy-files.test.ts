import { existsSync, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { servicesOf } from '../../deploy/drills/compose-file.ts';
import { problemsOf } from '../../deploy/kubernetes/rules.ts';
import { FILE_VARIABLES } from '../../src/config/variables/groups.ts';

const root = new URL('../../', import.meta.url);
const read = (path: string) => readFile(new URL(path, root), 'utf8');
const names = (folder: string, end: string) =>
  readdirSync(new URL(folder, root))
    .filter((name) => name.endsWith(end))
    .map((name) => `${folder}/${name}`);

/** Every variable of dues. */
const KNOWN = new Set([
  ...[...(await read('.env.example')).matchAll(/^([A-Z][A-Z0-9_]*)=/gm)].map(([, name]) => name ?? ''),
  ...FILE_VARIABLES.map((name) => `${name}_FILE`),
]);
const SECRETS = FILE_VARIABLES.filter((name) => !name.endsWith('_ADDRESS'));
const COMMANDS = [...(await read('bin/dues.ts')).matchAll(/^ {2}(\w+): \{$/gm)].map(([, name]) => name);
const ROLES = ['api', 'indexer', 'worker'];
const variablesOf = (text: string) =>
  [...text.matchAll(/^([A-Z][A-Z0-9_]*)=/gm)].map(([, name]) => name ?? '');

it('every variable of dues that may hold a secret can be read from a file', () => {
  // Public values, and paths.
  const isPublic = /^(PUBLIC_URL|DUES_URL|OTEL_EXPORTER_OTLP_ENDPOINT)$|_(EXPLORER_URL|FILE)$/;
  const secret = [...KNOWN].filter((name) => /(KEY|PASSWORD|SECRET|TOKEN|URL|ENDPOINT)/.test(name));
  expect(secret.filter((name) => !isPublic.test(name)).sort()).toEqual([...SECRETS].sort());
});

describe('compose.yaml', async () => {
  const { services } = parse(await read('compose.yaml'), { merge: true });
  const duesServices = await servicesOf({ DUES_ENV: undefined });

  it('runs commands of dues or scripts that exist, with variables that dues reads', () => {
    for (const { name, argv, env } of duesServices) {
      if (argv[0] === 'node')
        expect(existsSync(new URL(argv[1]?.replace('/app/', '') ?? '', root))).toBe(true);
      else expect(COMMANDS, name).toContain(argv[0]);
      expect(
        Object.keys(env).filter((variable) => !KNOWN.has(variable)),
        name,
      ).toEqual([]);
    }
    expect(duesServices.map(({ name }) => name)).toEqual(
      expect.arrayContaining([...ROLES, 'migrate', 'localnet']),
    );
  });

  it('migrates before each role starts, checks its health, limits its memory', () => {
    for (const role of ROLES) {
      const service = services[role];
      expect(service.depends_on.migrate.condition).toBe('service_completed_successfully');
      expect(service.depends_on.redis.condition).toBe('service_healthy');
      expect(service.healthcheck.test.at(-1)).toBe('/app/deploy/image/healthcheck.ts');
      expect(service).toMatchObject({ read_only: true, cap_drop: ['ALL'], mem_limit: '768m' });
    }
    expect(services.migrate.depends_on.postgres.condition).toBe('service_healthy');
  });

  it('publishes the proxy, not the API, which trusts only the proxy', () => {
    expect(services.api.ports).toBeUndefined();
    expect(services.proxy.ports).toEqual([expect.stringMatching(/:3000$/)]);
    expect(services.proxy.environment.DUES_API).toBe(`api:${services.api.environment.PORT}`);
    const { ipv4_address: address } = services.proxy.networks.default;
    expect(services.api.environment.TRUSTED_PROXIES).toBe(`\${DUES_TRUSTED_PROXIES:-${address}}`);
    const [file] = services.proxy.volumes[0].split(':');
    expect(existsSync(new URL(file, root))).toBe(true);
  });

  it('keeps jobs in Redis: noeviction, and an append-only file', () => {
    const command = services.redis.command.join(' ');
    expect(command).toContain('--maxmemory-policy noeviction');
    expect(command).toContain('--appendonly yes');
  });

  it('has no password, and takes every secret from a file', async () => {
    const text = await read('compose.yaml');
    expect(text).not.toMatch(/PASSWORD(?!_FILE)\w*[:=]/);
    for (const { env } of duesServices) {
      // A URL without a user has no password, and the local network's URLs have no key.
      const isSecret = (name: string) => !/_URL$/.test(name) || /\/\/[^/]*@/.test(String(env[name]));
      expect(Object.keys(env).filter((name) => SECRETS.includes(name) && isSecret(name))).toEqual([]);
    }
  });

  it('gives each service only the folders of secrets that it reads', () => {
    const mounted = (name: string) =>
      (services[name].volumes ?? []).flatMap((volume: string) => {
        const [, folder, target, mode] =
          /^\$\{DUES_SECRETS:-secrets\}-(\w+):\/run\/dues\/(\w+)(:ro)?$/.exec(volume) ?? [];
        expect(target, volume).toBe(folder);
        return folder ? [`${folder}${mode ?? ''}`] : [];
      });
    expect(Object.fromEntries(Object.keys(services).map((name) => [name, mounted(name)]))).toEqual({
      secrets: ['database', 'roles', 'worker', 'postgres', 'redis'],
      postgres: ['postgres:ro'],
      redis: ['redis:ro'],
      migrate: ['database:ro'],
      api: ['database:ro', 'roles:ro'],
      proxy: [],
      indexer: ['database:ro', 'roles:ro'],
      worker: ['database:ro', 'roles:ro', 'worker:ro'],
      localnet: [],
      fund: ['worker:ro'],
    });
  });

  it('names no file of a folder that the service does not have', () => {
    for (const { name, env } of duesServices) {
      const folders = [...JSON.stringify(env).matchAll(/\/run\/dues\/(\w+)/g)].map(([, folder]) => folder);
      const mounts = (services[name].volumes ?? []).join();
      expect(
        folders.filter((folder) => !mounts.includes(`:/run/dues/${folder}:`)),
        name,
      ).toEqual([]);
    }
  });

  it.each([
    ['deploy/compose/local.env', 4],
    ['deploy/compose/production.env', 4],
    ['deploy/compose/worker.env', 3],
    ['deploy/systemd/dues.env', 4],
  ])('%s has only variables that dues reads', async (path, atLeast) => {
    const set = variablesOf((await read(path)).replaceAll(/^#(?=[A-Z])/gm, ''));
    expect(set.filter((name) => !KNOWN.has(name))).toEqual([]);
    expect(set.length).toBeGreaterThanOrEqual(atLeast);
  });
});

describe('Kubernetes', async () => {
  const manifests = (await Promise.all(names('deploy/kubernetes', '.yaml').map(read))).flatMap((text) =>
    parseAllDocuments(text).map((document) => document.toJS()),
  );
  const manifestsOf = (kind: string) => manifests.filter((manifest) => manifest.kind === kind);

  it('runs each role with probes, a disruption budget and no privileges', () => {
    const deployments = manifestsOf('Deployment');
    expect(deployments.map(({ metadata }) => metadata.name)).toEqual(ROLES.map((role) => `dues-${role}`));
    for (const { metadata, spec } of deployments) {
      const pod = spec.template.spec;
      const [container] = pod.containers;
      expect(container.args).toEqual([metadata.labels['app.kubernetes.io/component']]);
      expect(pod.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 10_001 });
      expect(container.securityContext).toMatchObject({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
      });
      expect(container.readinessProbe.httpGet.path).toBe('/health/ready');
      expect(container.livenessProbe.httpGet.path).toBe('/health/live');
      // A process stops within ten seconds.
      expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(10);
      const budget = manifestsOf('PodDisruptionBudget').find(
        (candidate) => candidate.metadata.name === metadata.name,
      );
      expect(budget?.spec.selector).toEqual(spec.selector);
      expect(spec.selector.matchLabels).toEqual(spec.template.metadata.labels);
    }
  });

  it('names images by digest, mounts only a component’s secrets, trusts no range', () => {
    expect(problemsOf(manifests)).toEqual([]);
    const text = JSON.stringify(manifests)
      .replaceAll(/@sha256:0{64}/g, ':0.2.0')
      .replaceAll('{"key":"database-url","path":"database-url"}', '{"key":"collector.json","path":"x"}')
      .replace('<addresses of your proxies>', '10.0.0.0/8');
    const problems = problemsOf(JSON.parse(text)).join('\n');
    for (const component of ['api', 'indexer', 'worker', 'migrate']) {
      expect(problems).toContain(`dues-${component}: name registry.example.com/dues:0.2.0 by its digest`);
    }
    for (const component of ['api', 'indexer', 'migrate']) {
      expect(problems).toContain(`dues-${component}: does not need collector.json`);
    }
    expect(problems).toContain('TRUSTED_PROXIES must name your proxies');
  });

  it('gives each component the variables of the files that it mounts, and only these', () => {
    for (const { metadata, spec } of [...manifestsOf('Deployment'), ...manifestsOf('Job')]) {
      const { containers, volumes } = spec.template.spec;
      const { items } = volumes.find(({ name }: { name: string }) => name === 'secrets').secret;
      const files = containers[0].env.map(({ value }: { value: string }) => value);
      expect(files, metadata.name).toEqual(items.map(({ path }: { path: string }) => `/run/dues/${path}`));
    }
  });

  it('lets nothing reach the pods but metrics, and the ingress to the API', () => {
    const policies = manifestsOf('NetworkPolicy');
    const [all, api] = policies.map(({ spec }) => spec);
    expect(all.podSelector.matchLabels).toEqual({ 'app.kubernetes.io/name': 'dues' });
    expect(all.policyTypes).toEqual(['Ingress', 'Egress']);
    const portsOf = (spec: typeof all) =>
      spec.ingress.flatMap((rule: { ports: { port: string }[] }) => rule.ports.map(({ port }) => port));
    expect(portsOf(all)).toEqual(['metrics']);
    expect(portsOf(api)).toEqual(['http']);
  });

  it('sets variables that dues reads', () => {
    const [config] = manifestsOf('ConfigMap');
    expect(Object.keys(config.data).filter((name) => !KNOWN.has(name))).toEqual([]);
    for (const { spec } of [...manifestsOf('Deployment'), ...manifestsOf('Job')]) {
      const set = spec.template.spec.containers[0].env.map(({ name }: { name: string }) => name);
      expect(set.filter((name: string) => !KNOWN.has(name))).toEqual([]);
    }
    const { METRICS_PORT, PORT } = config.data;
    for (const { spec } of manifestsOf('Deployment')) {
      const ports = spec.template.spec.containers[0].ports.map((port: { containerPort: number }) =>
        String(port.containerPort),
      );
      expect([PORT, METRICS_PORT]).toEqual(expect.arrayContaining(ports));
    }
  });
});

describe('systemd', () => {
  it.each(names('deploy/systemd', '.service'))(
    '%s runs a command with variables that dues reads',
    async (path) => {
      const text = await read(path);
      const [, command] = /^ExecStart=\/opt\/dues\/bin\/dues\.ts (\w+)$/m.exec(text) ?? [];
      expect(COMMANDS).toContain(command);
      const set = [...text.matchAll(/^Environment=(.+)$/gm)].flatMap(([, line = '']) =>
        line.split(' ').map((assignment) => assignment.split('=', 1)[0] ?? ''),
      );
      expect(set.filter((name) => !KNOWN.has(name))).toEqual([]);
      const files = [...text.matchAll(/%d\/([\w.-]+)/g)].map(([, name]) => name);
      const loaded = [...text.matchAll(/^LoadCredential=([\w.-]+):/gm)].map(([, name]) => name);
      expect(loaded).toEqual(files);
      expect(text).toContain('DynamicUser=yes\n');
    },
  );
});

describe('PostgreSQL on three machines', async () => {
  const patroni = parse(await read('deploy/patroni/patroni.yaml'));

  it('acknowledges a commit only when a standby has it', async () => {
    expect(patroni.bootstrap.dcs).toMatchObject({ synchronous_mode: true, synchronous_mode_strict: true });
    expect(patroni.watchdog.mode).toBe('required');
    const documents = parseAllDocuments(await read('deploy/kubernetes/postgresql/cluster.yaml'));
    const { instances, postgresql } = (documents[0] as (typeof documents)[number]).toJS().spec;
    expect(instances).toBe(3);
    expect(postgresql.synchronous).toMatchObject({ dataDurability: 'required', failoverQuorum: true });
  });

  it('a primary ends before its lock: Patroni and its watchdog have time for it', () => {
    const { ttl, loop_wait: loop, retry_timeout: retry } = patroni.bootstrap.dcs;
    expect(loop + 2 * retry).toBeLessThanOrEqual(ttl - patroni.watchdog.safety_margin);
  });

  it.each(['deploy/patroni/node.env', 'deploy/redis/redis.conf', 'deploy/redis/sentinel.conf'])(
    '%s has no password, only its place',
    async (path) => {
      const text = await read(path);
      const passwords = [
        ...text.matchAll(/^(?:\w+_PASSWORD=|requirepass |masterauth |.*-pass (?:dues )?)(.*)$/gm),
      ];
      expect(passwords.length).toBeGreaterThan(0);
      for (const [, password] of passwords) expect(password).toMatch(/^<.*>$/);
    },
  );
});

it('only systemd’s worker has the collector’s key', async () => {
  const loaded = async (role: string) =>
    [...(await read(`deploy/systemd/dues-${role}.service`)).matchAll(/^LoadCredential=([\w.-]+):/gm)].map(
      ([, name]) => name,
    );
  expect(await loaded('worker')).toEqual(['database-url', 'secret-key', 'collector.json']);
  expect(await loaded('api')).toEqual(['database-url', 'secret-key']);
  expect(await loaded('indexer')).toEqual(['database-url', 'secret-key']);
  expect(await loaded('migrate')).toEqual(['database-url']);
});

it.each(['deploy/systemd/dues.env', 'deploy/kubernetes/config.yaml'])(
  '%s trusts no range of addresses as proxies',
  async (path) => {
    const [, proxies] = /^ *TRUSTED_PROXIES[=:] *(.*)$/m.exec(await read(path)) ?? [];
    expect(proxies).toBeTruthy();
    expect(proxies).not.toContain('/');
  },
);

describe('alerts', async () => {
  interface Rule {
    readonly alert: string;
    readonly expr: string;
    readonly for?: string;
    readonly labels: { readonly severity: string };
    readonly annotations: { readonly summary: string; readonly runbook_url: string };
  }
  const { groups } = parse(await read('deploy/prometheus/alerts.yaml')) as { groups: { rules: Rule[] }[] };
  const rules = groups.flatMap((group) => group.rules);
  const pages = await read('docs/operations.md');

  it('of the rules and of docs/operations.md are the same', () => {
    const documented = [
      ...pages.matchAll(
        /^- `(Dues\w+)` \((page|ticket)(?: after (\w+))?\):([^[]+)\[Runbook\]\(([^)]+)\)\.\n {2}`(.+)`$/gm,
      ),
    ].map(([, alert, severity, after, summary = '', runbook, expr]) => ({
      alert,
      severity,
      after,
      summary: summary.replaceAll(/\s+/g, ' ').trim(),
      runbook: `docs/${runbook}`,
      expr,
    }));
    expect(documented).toEqual(
      rules.map(({ alert, expr, for: after, labels, annotations }) => ({
        alert,
        severity: labels.severity,
        after,
        summary: annotations.summary,
        runbook: annotations.runbook_url,
        expr,
      })),
    );
  });

  it('each have a runbook and a test', async () => {
    const tests = parse(await read('deploy/prometheus/alerts.test.yaml')).tests as { name: string }[];
    expect(tests.map(({ name }) => name)).toEqual(
      rules.flatMap(({ alert }) => [alert, `${alert} is silent`]),
    );
    const list = await read('docs/runbooks/README.md');
    for (const { annotations } of rules) {
      expect(existsSync(new URL(annotations.runbook_url, root)), annotations.runbook_url).toBe(true);
      expect(list).toContain(`(${annotations.runbook_url.replace('docs/runbooks/', '')})`);
    }
  });
});
