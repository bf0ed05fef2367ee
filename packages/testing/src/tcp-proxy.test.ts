import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTcpProxy, type TcpProxy } from './tcp-proxy.ts';
import { until } from './until.ts';

let echo: Server;
let proxy: TcpProxy;
const sockets: Socket[] = [];

beforeAll(async () => {
  echo = createServer((socket) => socket.on('error', () => {}).pipe(socket));
  await new Promise<void>((resolve) => echo.listen(0, '127.0.0.1', resolve));
  proxy = await startTcpProxy((echo.address() as AddressInfo).port);
});
afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  await proxy.close();
  echo.close();
});

/** A client through the proxy, and what it has heard. */
async function client(): Promise<{ socket: Socket; heard: () => string }> {
  const socket = connect(proxy.port, '127.0.0.1');
  sockets.push(socket);
  let text = '';
  socket.on('data', (bytes) => (text += bytes.toString()));
  await new Promise((resolve) => socket.once('connect', resolve));
  return { socket, heard: () => text };
}

it('passes bytes, drops those of frozen connections and keeps their sockets', async () => {
  const first = await client();
  first.socket.write('one');
  await until(() => first.heard() === 'one');
  proxy.freeze();
  first.socket.write('two');
  const second = await client();
  second.socket.write('three');
  await until(() => second.heard() === 'three');
  expect(first.heard()).toBe('one');
  expect(first.socket.destroyed).toBe(false);
  expect(proxy.open).toBe(1);
});
