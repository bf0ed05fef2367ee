import { setInterval } from 'node:timers';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { startHttpToolServer } from './tool-server/http-tool-server.ts';
import { toolServer, type ToolServerHost } from './tool-server/tool-server.ts';

/*
 * The tool server as a process. Without arguments it speaks MCP over its standard streams.
 *
 *   --http <port>   over HTTP instead; writes its address to stdout
 *   --crash         writes two lines to stderr and ends with code 3
 *   --mute          reads and never answers
 *   --babble        answers everything with a line of prose
 *   --banner        greets on stdout before it starts, as careless servers do
 */

const GARBAGE: Record<string, string> = {
  prose: 'Thank you for your call!',
  'cut-off': '{"jsonrpc":"2.0","id":',
  shape: '{"jsonrpc":"2.0","id":"what","outcome":42}',
};

const host: ToolServerHost = {
  die: () => process.exit(7),
  writeGarbage: (kind) => void process.stdout.write(`${GARBAGE[kind] ?? kind}\n`),
};

async function main(args: readonly string[]): Promise<void> {
  const [flag, value] = args;
  switch (flag) {
    case '--http': {
      const server = await startHttpToolServer({ port: Number(value ?? 0) });
      process.stdout.write(`listening on ${server.url}\n`);
      return;
    }
    case '--crash':
      process.stderr.write('reading the settings\nno database configured\n');
      process.exitCode = 3;
      return;
    case '--mute':
      process.stdin.resume();
      setInterval(() => {}, 60_000);
      return;
    case '--babble':
      process.stdin.on('data', () => process.stdout.write('Hello, I am a server and I do not know MCP.\n'));
      return;
    case '--banner':
      process.stdout.write('Tool server v1 is ready\n');
      break;
    default:
      break;
  }
  serveStdio(() => toolServer(host));
}

await main(process.argv.slice(2));
