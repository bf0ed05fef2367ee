import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A connection through us, which a test can break in the ways networks do. */
export interface TcpProxy {
  readonly port: number;
  /** Connections that pass bytes. */
  readonly open: number;
  /**
   * Makes every connection there is half-open: bytes are dropped both ways and no socket is closed, as when a firewall
   * forgets a connection. New connections pass.
   */
  freeze(): void;
  close(): Promise<void>;
}

interface Pair {
  readonly client: Socket;
  readonly server: Socket;
}

/** Starts a proxy to a port of this machine. */
export async function startTcpProxy(target: number): Promise<TcpProxy> {
  const passing = new Set<Pair>();
  const frozen = new Set<Pair>();
  const listener = createServer((client) => {
    const server = connect(target, '127.0.0.1');
    const pair = { client, server };
    passing.add(pair);
    const pass = (from: Socket, to: Socket): void => {
      from.on('data', (bytes) => {
        if (passing.has(pair)) to.write(bytes);
      });
      from.on('error', () => {});
      from.on('close', () => {
        // One end of a half-open connection learns nothing of the other.
        if (passing.delete(pair)) to.destroy();
      });
    };
    pass(client, server);
    pass(server, client);
  });
  await new Promise<void>((resolve, reject) => {
    listener.once('error', reject);
    listener.listen(0, '127.0.0.1', resolve);
  });
  return {
    port: (listener.address() as AddressInfo).port,
    get open() {
      return passing.size;
    },
    freeze: () => {
      for (const pair of passing) frozen.add(pair);
      passing.clear();
    },
    close: async () => {
      const closed = new Promise((resolve) => listener.close(resolve));
      for (const { client, server } of [...passing, ...frozen]) {
        client.destroy();
        server.destroy();
      }
      await closed;
    },
  };
}
