import { describe, expect, it } from 'vitest';
import { Refusal } from '../tool.ts';
import type { Resource } from './resource.ts';
import { surface } from './surface.ts';
import { legacyRequest, modernRequest, mounted, said } from './testkit.ts';

const failing = (uri: string, error: Error): Resource => ({
  uri,
  name: uri,
  read: () => Promise.reject(error),
});

const offered = surface({
  server: { name: 'test', release: '1.0.0' },
  tools: [],
  resources: [
    {
      uri: 'test://note',
      name: 'Note',
      mimeType: 'text/plain',
      read: () => Promise.resolve({ text: 'Tere!' }),
    },
    failing('test://gone', new Refusal('not_found', 'It was here.')),
    failing('test://closed', new Refusal('unavailable', 'Closed until Monday.')),
    failing('test://broken', new Error('password=hunter2')),
  ],
  templates: [
    {
      uriTemplate: 'test://page/{name}',
      name: 'Page',
      description: 'A page by its name.',
      read: ({ name }) => Promise.resolve({ text: `Page ${String(name)}` }),
    },
  ],
});
const { serve, errors } = mounted([], { surface: () => offered });
const eras = [
  ['legacy', legacyRequest, -32002],
  ['modern', modernRequest, -32602],
] as const;

describe.each(eras)('resources in the %s era', (_era, request, missing) => {
  const read = (uri: unknown) => said(serve, request('resources/read', { uri }));

  it('are announced, listed and read', async () => {
    const { body } = await said(serve, request('resources/list'));
    expect(body.result.resources[0]).toEqual({ uri: 'test://note', name: 'Note', mimeType: 'text/plain' });
    expect((await read('test://note')).body.result.contents).toEqual([
      { uri: 'test://note', mimeType: 'text/plain', text: 'Tere!' },
    ]);
  });

  it('are read through a template', async () => {
    const { body } = await said(serve, request('resources/templates/list'));
    expect(body.result.resourceTemplates).toEqual([
      { uriTemplate: 'test://page/{name}', name: 'Page', description: 'A page by its name.' },
    ]);
    expect((await read('test://page/home')).body.result.contents).toEqual([
      { uri: 'test://page/home', text: 'Page home' },
    ]);
  });

  it('that are not there answer alike, whoever finds out', async () => {
    for (const uri of ['test://gone', 'test://nowhere', 'test://page/a/b', '', '__proto__']) {
      const { status, body } = await read(uri);
      expect([status, body.error]).toEqual([
        200,
        { code: missing, message: `Unknown resource: ${uri}`, data: { uri } },
      ]);
    }
  });

  it('that refuse say why', async () => {
    expect((await read('test://closed')).body.error).toEqual({
      code: -32603,
      message: 'Closed until Monday.',
    });
  });

  it('that break give a reference, and tell the operator', async () => {
    expect((await read('test://broken')).body.error).toEqual({
      code: -32603,
      message: 'Something broke on our side. Reference: ref-1',
    });
    expect(errors.at(-1)).toEqual({ error: new Error('password=hunter2'), reference: 'ref-1' });
  });

  it('are asked for by a URI', async () => {
    expect((await read(undefined)).body.error.code).toBe(-32602);
    expect((await read(7)).body.error.code).toBe(-32602);
  });
});
