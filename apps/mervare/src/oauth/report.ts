import type { Logger } from '@portolan/http';
import type { Provider } from 'oidc-provider';

/** Says in our log what the library finds worth saying, and nothing of what clients sent. */
export function report(provider: Provider, log: Logger): void {
  provider.on('server_error', (_ctx, err) => log.error({ err }, 'authorization server broke'));
  provider.on('grant.error', (ctx, error) => {
    const client = ctx.oidc.client?.clientId;
    const detail = (error as { error_detail?: string }).error_detail;
    if (detail === 'refresh token already used')
      log.warn(
        { client, grant: ctx.oidc.entities.Grant?.jti },
        'a used refresh token came again; its connection is ended',
      );
    else log.info({ client, error: error.message, detail }, 'token request refused');
  });
}
