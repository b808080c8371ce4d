// A merchant's server in a separate process. It responds at once, except below /hang, where it
// never does. It records when each webhook arrived; the message "report" returns those since the
// last report.
import { once } from 'node:events';
import { createServer } from 'node:http';

let arrivals: [id: string, at: number][] = [];

const server = createServer({ keepAliveTimeout: 30_000 }, (request, response) => {
  const at = performance.timeOrigin + performance.now();
  const isHanging = request.url?.startsWith('/hang');
  request.resume().on('end', () => {
    if (isHanging) return;
    arrivals.push([String(request.headers['webhook-id']), at]);
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"received":true}');
  });
}).listen(0, '127.0.0.1');
await once(server, 'listening');
const { port } = server.address() as { port: number };
process.send?.({ url: `http://127.0.0.1:${port}` });
process.on('message', () => {
  process.send?.({ arrivals });
  arrivals = [];
});
process.on('disconnect', () => process.exit());
