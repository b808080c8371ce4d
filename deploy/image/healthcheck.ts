// Exit code 0 if the process of this container can do its work: the image's health check. A container that runs
// another command has no METRICS_PORT to ask, so it must switch the check off.
const port = process.env.METRICS_PORT || '9464';
const response = await fetch(`http://127.0.0.1:${port}/health/ready`, {
  signal: AbortSignal.timeout(4_000),
}).catch((error: Error) => error);
if (response instanceof Error) console.error(`no answer on port ${port}: ${response.message}`);
else console.log(await response.text());
process.exit(response instanceof Error || !response.ok ? 1 : 0);
