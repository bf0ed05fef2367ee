import { describe, expect, it } from 'vitest';
import { WebhookSigner } from './webhook-signer.ts';

describe('WebhookSigner', () => {
  it('signs as the example of Standard Webhooks does', () => {
    // https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
    const env = { HOOK: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' };
    const body = '{"test": 2432232314}';
    expect(
      WebhookSigner.fromEnv('HOOK', env).headers('msg_p5jXN8AQM9LWM0D4loKWxJek', 1_614_265_330_999, body),
    ).toEqual({
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    });
  });

  it.each([
    [{}, 'is not set'],
    [{ HOOK: 'short' }, 'is too short'],
    [{ HOOK: 'whsec_c2hvcnQ=' }, 'is too short'],
  ])('refuses %j', (env, reason) => {
    expect(() => WebhookSigner.fromEnv('HOOK', env)).toThrow(
      expect.objectContaining({ code: 'CONFIG_INVALID', message: expect.stringContaining(reason) }),
    );
  });
});
