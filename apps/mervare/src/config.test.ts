import { describe, expect, it } from 'vitest';
import { readConfig } from './config.ts';

describe('the configuration', () => {
  it('is whole without any variable', () => {
    const { config } = readConfig({ MERVARE_ORIGIN: '', DATABASE_URL: '' });
    expect(config).toMatchObject({ host: '127.0.0.1', port: 8088, origin: undefined, trustedProxies: [] });
    expect(config?.dataDir).toMatch(/^\/.*\/\.mervare$/);
  });

  it('takes what a server behind a proxy needs', () => {
    const variables = {
      MERVARE_ORIGIN: 'https://mervare.example',
      DATABASE_URL: 'postgresql://mervare@db/mervare',
      MERVARE_DATA: '/var/lib/mervare',
      MERVARE_TRUSTED_PROXIES: '10.0.0.0/8, ::1',
    };
    expect(readConfig(variables, { host: '0.0.0.0', port: '80' })).toEqual({
      config: {
        host: '0.0.0.0',
        port: 80,
        origin: 'https://mervare.example',
        databaseUrl: 'postgresql://mervare@db/mervare',
        dataDir: '/var/lib/mervare',
        clientNetworks: [],
        trustedProxies: ['10.0.0.0/8', '::1'],
        tokens: [],
      },
      faults: [],
    });
  });

  it('MER-70.2 names every fault at once, the one that spans two settings too', () => {
    const { faults } = readConfig(
      { DATABASE_URL: 'mysql://secret@db', MERVARE_TRUSTED_PROXIES: '10.0.0.0/33' },
      { host: '::', port: 'wrong' },
    );
    expect(faults).toEqual([
      '--port must be a number.',
      'DATABASE_URL must begin with postgres://.',
      'MERVARE_TRUSTED_PROXIES must name addresses or networks such as 10.0.0.0/8.',
      'MERVARE_ORIGIN must be set to listen beyond this machine.',
    ]);
  });

  it('takes no secret that is blank, padded or short', () => {
    const padded = 'MERVARE_SECRET must not begin or end with a blank.';
    const short = 'MERVARE_SECRET must have 32 characters or more.';
    const faultsOf = (MERVARE_SECRET: string) => readConfig({ MERVARE_SECRET }).faults;
    expect(faultsOf(' '.repeat(40))).toEqual([padded]);
    expect(faultsOf(`${'s'.repeat(32)}\n`)).toEqual([padded]);
    expect(faultsOf('s'.repeat(31))).toEqual([short]);
    expect(faultsOf('s'.repeat(32))).toEqual([]);
  });

  it.each([
    'mervare.example',
    'https://mervare.example/',
    'https://mervare.example/x',
    'ftp://x',
    'https://u@x',
  ])('does not take %j as an origin', (origin) => {
    expect(readConfig({ MERVARE_ORIGIN: origin }).faults).toEqual([
      'MERVARE_ORIGIN must be an origin such as https://mervare.example, without a path.',
    ]);
  });
});
