import type { FastifyInstance } from 'fastify';

/** Redis has to answer by then. */
const READY_MS = 2000;

/** For whoever watches the process: `/healthz` says that it lives, `/readyz` that it can work. */
export function addProbes(server: FastifyInstance, parts: { ready(): Promise<void> }): void {
  server.get('/healthz', async () => ({ status: 'ok' }));
  server.get('/readyz', async (_request, reply) => {
    const isReady = await answersInTime(parts.ready());
    return reply.code(isReady ? 200 : 503).send({ status: isReady ? 'ok' : 'Redis does not answer' });
  });
}

async function answersInTime(answer: Promise<void>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), READY_MS);
  });
  const isThere = answer.then(
    () => true,
    () => false,
  );
  try {
    return await Promise.race([isThere, tooLate]);
  } finally {
    clearTimeout(timer);
  }
}
