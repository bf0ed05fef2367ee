/** What became of a request. `refused`: a repeat would be refused as well. */
export type PostResult =
  | { readonly kind: 'taken' }
  | { readonly kind: 'refused' | 'failed'; readonly reason: string };

/** Statuses that ask for another attempt although they blame the request. */
const LATER = new Set([408, 429]);

/**
 * Makes one request. What is answered is not read, and no redirect is followed: where it leads nobody has allowed.
 * Never throws for what the other side does.
 */
export async function postWebhook(
  url: URL,
  request: {
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string;
    readonly timeoutMs: number;
  },
): Promise<PostResult> {
  const { headers, body, timeoutMs } = request;
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'user-agent': 'skillyard', ...headers },
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    });
    await response.body?.cancel();
    return judged(response.status);
  } catch (error) {
    return { kind: 'failed', reason: reasonOf(error) };
  }
}

function judged(status: number): PostResult {
  if (status >= 200 && status < 300) return { kind: 'taken' };
  const isRefusal = status < 500 && !LATER.has(status);
  return { kind: isRefusal ? 'refused' : 'failed', reason: `it answered with status ${status}` };
}

/** The message of `fetch` says only that it failed; why stands in its cause. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'TimeoutError') return 'it did not answer in time';
  return error.cause instanceof Error ? error.cause.message || error.cause.name : error.message;
}
