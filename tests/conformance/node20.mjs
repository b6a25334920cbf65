// The suite imports `globSync` from `fs`, which Node 20 does not have; only a command that we do not run calls it.
import { register } from 'node:module';

const source = `export * from 'node:fs';
export { default } from 'node:fs';
export const globSync = () => { throw new Error('globSync needs Node 22'); };`;

const hooks = `export const resolve = (specifier, context, next) =>
  specifier === 'fs' && context.parentURL?.includes('/@modelcontextprotocol/conformance/')
    ? { url: 'shim:fs', format: 'module', shortCircuit: true }
    : next(specifier, context);
export const load = (url, context, next) =>
  url === 'shim:fs'
    ? { format: 'module', shortCircuit: true, source: ${JSON.stringify(source)} }
    : next(url, context);`;

register(`data:text/javascript,${encodeURIComponent(hooks)}`, import.meta.url);
