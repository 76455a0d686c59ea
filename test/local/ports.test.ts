import { createServer, type AddressInfo, type Server } from 'node:net';
import { once } from 'node:events';
import { choosePorts, LOOPBACK } from '../../local/ports';

async function listeningServer(): Promise<{ server: Server; port: number }> {
  const server = createServer().listen(0, LOOPBACK);
  await once(server, 'listening');
  return { server, port: (server.address() as AddressInfo).port };
}

test('port 0 becomes a free port, different for each', async () => {
  const wanted = ['A', 'B', 'C'].map((variable) => ({ variable, port: 0 }));
  const ports = await choosePorts(wanted);
  expect(new Set(ports).size).toBe(3);
  expect(Math.min(...ports)).toBeGreaterThan(1_024);
});

test('free ports are outside of the range for outgoing connections', async () => {
  const [port = 0] = await choosePorts([{ variable: 'A', port: 0 }]);
  const { server, port: ephemeral } = await listeningServer();
  server.close();
  expect(port).toBeLessThan(ephemeral);
});

test('a taken port is refused with the name of its variable', async () => {
  const { server, port } = await listeningServer();
  const choice = choosePorts([{ variable: 'RESOLUTE_API_PORT', port }]);
  await expect(choice).rejects.toThrow(`RESOLUTE_API_PORT: port ${port} is not available`);
  server.close();
});

test('one port for two variables is refused with both names', async () => {
  const choice = choosePorts([
    { variable: 'A', port: 9 },
    { variable: 'B', port: 9 },
  ]);
  await expect(choice).rejects.toThrow('B and A are both 9');
});
