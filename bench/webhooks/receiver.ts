// A merchant's server in a separate process. It responds at once, except to requests below /hang,
// to which it never responds. It records when each webhook arrives. The message "report" returns
// the arrivals since the last report.
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
