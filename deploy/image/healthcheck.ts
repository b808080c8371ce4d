// The image's health check: exit code 0 if the process of this container can do its work. A
// container whose command is not a role does not serve METRICS_PORT, so it must disable the check.
const port = process.env.METRICS_PORT || '9464';
const response = await fetch(`http://127.0.0.1:${port}/health/ready`, {
  signal: AbortSignal.timeout(4_000),
}).catch((error: Error) => error);
if (response instanceof Error) console.error(`no answer on port ${port}: ${response.message}`);
else console.log(await response.text());
process.exit(response instanceof Error || !response.ok ? 1 : 0);
