import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { projectResult } from '../content.ts';
import { callOf, connected, textOf } from './testing/opened.ts';
import { everythingOverHttp, officialList, openProject, reference } from './testing/real.ts';

const SOON = { interval: 20 };

/** The list as it was sent: nothing added, nothing lost, in order. */
const sentBy = ({ catalog }: Awaited<ReturnType<typeof connected>>) => catalog.tools.map(({ sent }) => sent);

describe('the reference servers over stdio', () => {
  it('SAI-33.1 everything: the whole list, results, roots, progress and an end', async () => {
    const { folder, roots } = openProject();
    const definition = reference('everything', ['stdio'], folder);
    const connection = await connected(definition, { roots });
    expect(connection).toMatchObject({
      revision: '2025-11-25',
      serverInfo: { name: 'mcp-servers/everything' },
    });
    expect(sentBy(connection)).toEqual(await officialList(definition, roots));
    expect(await callOf(connection, 'echo', { message: 'õ€漢👩‍🚀' })).toEqual({
      content: [{ type: 'text', text: 'Echo: õ€漢👩‍🚀' }],
    });
    expect(textOf(await callOf(connection, 'get-sum', { a: 2, b: 3 }))).toBe('The sum of 2 and 3 is 5.');
    expect(await callOf(connection, 'get-structured-content', { location: 'Chicago' })).toMatchObject({
      structuredContent: { temperature: 36, conditions: 'Light rain / drizzle', humidity: 82 },
    });
    expect(textOf(await callOf(connection, 'get-roots-list'))).toContain(roots[0]?.uri);
    await expect(callOf(connection, 'echo', { message: 7 })).rejects.toMatchObject({
      code: 'arguments_invalid',
      rows: ['/message must be string'],
    });
    const seen: unknown[] = [];
    const onProgress = (progress: unknown) => seen.push(progress);
    await callOf(connection, 'trigger-long-running-operation', { duration: 0.1, steps: 2 }, { onProgress });
    expect(seen).toEqual([
      { progress: 1, total: 2 },
      { progress: 2, total: 2 },
    ]);
    expect(await connection.close()).toEqual({ contained: true });
  });

  it('SAI-38.1 everything: its picture is a native image between its texts', async () => {
    const connection = await connected(reference('everything', ['stdio'], openProject().folder));
    const { parts } = await projectResult(await callOf(connection, 'get-tiny-image'));
    expect(parts).toMatchObject([
      { type: 'text', text: "Here's the image you requested:" },
      { type: 'image', facts: { sourceType: 'image/png', sent: { width: 20, height: 20 } } },
      { type: 'text', text: 'The image above is the MCP logo.' },
    ]);
  });

  it('filesystem: takes the one root of the project, and works there alone', async () => {
    const { folder, roots } = openProject();
    const definition = reference('filesystem', [], folder);
    const connection = await connected(definition, { roots });
    expect(sentBy(connection)).toEqual(await officialList(definition, roots));
    // It asks for the roots by itself, some time after the handshake.
    const allowed = async () => textOf(await callOf(connection, 'list_allowed_directories'));
    await expect.poll(allowed, SOON).toBe(`Allowed directories:\n${folder}`);
    const path = join(folder, 'log.txt');
    expect(textOf(await callOf(connection, 'write_file', { path, content: 'õ€漢\n' }))).toBe(
      `Successfully wrote to ${path}`,
    );
    expect(readFileSync(path, 'utf8')).toBe('õ€漢\n');
    expect(await callOf(connection, 'read_text_file', { path })).toEqual({
      content: [{ type: 'text', text: 'õ€漢\n' }],
      structuredContent: { content: 'õ€漢\n' },
    });
    expect(await callOf(connection, 'read_text_file', { path: '/etc/passwd' })).toMatchObject({
      isError: true,
      content: [{ text: `Access denied - path outside allowed directories: /etc/passwd not in ${folder}` }],
    });
    expect(await connection.close()).toEqual({ contained: true });
  });

  it('memory: keeps its graph in the file that its environment names, over two processes', async () => {
    const { folder } = openProject();
    const definition = reference('memory', [], folder, { MEMORY_FILE_PATH: join(folder, 'graph.jsonl') });
    const first = await connected(definition);
    expect(sentBy(first)).toEqual(await officialList(definition));
    const ann = { name: 'Ann', entityType: 'pilot', observations: ['knows the fairway'] };
    const berth = { name: 'Quay 4', entityType: 'berth', observations: [] };
    const relation = { from: 'Ann', to: 'Quay 4', relationType: 'works at' };
    expect(await callOf(first, 'create_entities', { entities: [ann, berth] })).toMatchObject({
      structuredContent: { entities: [ann, berth] },
    });
    await callOf(first, 'create_relations', { relations: [relation] });
    expect(await first.close()).toEqual({ contained: true });

    const second = await connected(definition);
    expect(await callOf(second, 'search_nodes', { query: 'fairway' })).toMatchObject({
      structuredContent: { entities: [ann] },
    });
    expect(await callOf(second, 'read_graph')).toMatchObject({
      structuredContent: { entities: [ann, berth], relations: [relation] },
    });
    expect(await second.close()).toEqual({ contained: true });
  });

  it('sequential-thinking: counts its thoughts from call to call', async () => {
    const definition = reference('sequential-thinking', [], openProject().folder);
    const connection = await connected(definition);
    expect(sentBy(connection)).toEqual(await officialList(definition));
    const think = (thoughtNumber: number) =>
      callOf(connection, 'sequentialthinking', {
        thought: 'Which berth is free?',
        thoughtNumber,
        totalThoughts: 2,
        nextThoughtNeeded: thoughtNumber < 2,
      });
    expect(await think(1)).toMatchObject({
      structuredContent: { thoughtNumber: 1, nextThoughtNeeded: true, thoughtHistoryLength: 1 },
    });
    expect(await think(2)).toMatchObject({
      structuredContent: { thoughtNumber: 2, nextThoughtNeeded: false, thoughtHistoryLength: 2 },
    });
    expect(await connection.close()).toEqual({ contained: true });
  });
});

describe('the reference server over HTTP', () => {
  it('SAI-32.5 SAI-33.1 everything: the whole list without roots, results, progress and a leave', async () => {
    await everythingOverHttp(async (definition) => {
      const connection = await connected(definition, { roots: openProject().roots });
      expect(sentBy(connection)).toEqual(await officialList(definition));
      expect(connection.catalog.tool('get-roots-list')).toBeUndefined();
      expect(textOf(await callOf(connection, 'echo', { message: 'õ€漢👩‍🚀' }))).toBe('Echo: õ€漢👩‍🚀');
      const seen: unknown[] = [];
      const onProgress = (progress: unknown) => seen.push(progress);
      const args = { duration: 0.2, steps: 2 };
      await callOf(connection, 'trigger-long-running-operation', args, { onProgress });
      expect(seen).toEqual([
        { progress: 1, total: 2 },
        { progress: 2, total: 2 },
      ]);
      expect(await connection.close()).toEqual({ contained: true });
    });
  });
});
