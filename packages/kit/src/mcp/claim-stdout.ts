import { Writable } from 'node:stream';

/**
 * Takes the stdout of this process for a protocol: only the stream that is returned reaches it. What anything else writes
 * there, such as an author's `console.log`, goes to stderr from now on, since it would break the protocol.
 */
export function claimStdout(): Writable {
  const { stdout, stderr } = process;
  const write = stdout.write.bind(stdout);
  stdout.write = stderr.write.bind(stderr);
  // A reader that has gone is told to the stream below by its callback.
  stdout.on('error', () => {});
  return new Writable({
    decodeStrings: false,
    write: (chunk: string | Uint8Array, encoding, done) => {
      write(chunk, encoding, (error) => done(error));
    },
  });
}
