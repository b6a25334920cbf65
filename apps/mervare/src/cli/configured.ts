import { readConfig, type Config } from '../config.ts';
import { Misconfigured } from '@portolan/mcp/tool';
import type { Terminal } from './terminal.ts';

/** The configuration of a command. Throws Misconfigured with every fault at once. */
export function configured({ environment }: Terminal, flags: { host?: string; port?: string } = {}): Config {
  const { config, faults } = readConfig(environment, flags);
  if (config) return config;
  throw new Misconfigured(faults.join('\n  '));
}
