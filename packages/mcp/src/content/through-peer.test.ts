import sharp from 'sharp';
import { afterEach, describe, expect, it } from 'vitest';
import { callOf, connected } from '../connect/testing/opened.ts';
import { openLog, scripted } from '../connect/testing/peer.ts';
import { projectResult, type MaxDimension, type NativeResult } from '../content.ts';

const MIB = 1024 * 1024;
const logs: ReturnType<typeof openLog>[] = [];
afterEach(() => logs.splice(0).forEach((log) => log.close()));

type Format = 'png' | 'jpeg' | 'webp';
async function picture(width: number, height: number, format: Format): Promise<Buffer> {
  const create = { width, height, channels: 3, background: '#3366cc' } as const;
  return sharp({ create }).toFormat(format).toBuffer();
}

const image = (bytes: Buffer, mimeType: string) => ({
  type: 'image',
  data: bytes.toString('base64'),
  mimeType,
});
const text = (value: string) => ({ type: 'text', text: value });

/** The result of the report: three texts around a wide PNG and a small WebP. */
async function fiveParts() {
  return {
    content: [
      text('before'),
      image(await picture(4_000, 1_000, 'png'), 'image/png'),
      text('middle'),
      image(await picture(800, 600, 'webp'), 'image/webp'),
      text('after'),
    ],
  };
}

/** A stdio peer whose tool `raw` answers the result that it is given, and what it was asked. */
async function watched() {
  const log = openLog();
  logs.push(log);
  const connection = await connected(scripted({ log: log.file }));
  const shown = async (result: object, maxDimension?: MaxDimension) =>
    projectResult(
      await callOf(connection, 'raw', { result }),
      maxDimension === undefined ? {} : { maxDimension },
    );
  const asked = () =>
    log
      .received()
      .filter(({ method }) => method === 'tools/call')
      .map(({ params }) => Object.keys(params?.arguments as object));
  return { shown, asked };
}

/** Parts in order: texts as they are, images as width × height, data by its type. */
function outline({ parts }: NativeResult): string[] {
  return parts.map((part) => {
    if (part.type === 'text') return part.text;
    if (part.type === 'data') return `data ${String(part.block.type)}`;
    return `${part.facts.sent.width}x${part.facts.sent.height}`;
  });
}

describe('a result with pictures from a server on stdio', () => {
  it('A-07 arrives in its order, the large picture scaled and the small one as it is', async () => {
    const { shown, asked } = await watched();
    const result = await fiveParts();
    expect(outline(await shown(result))).toEqual(['before', '1600x400', 'middle', '800x600', 'after']);
    expect(outline(await shown(result, 'original'))).toEqual([
      'before',
      '4000x1000',
      'middle',
      '800x600',
      'after',
    ]);
    // The choice of size stays here.
    expect(asked()).toEqual([['result'], ['result']]);
  });

  it('A-07 gives no picture where it is an error', async () => {
    const { shown } = await watched();
    const failed = await shown({ ...(await fiveParts()), isError: true });
    expect(failed.isError).toBe(true);
    expect(outline(failed)).toEqual(['before', 'data image', 'middle', 'data image', 'after']);
  });

  it('A-07 takes nothing nested for a picture', async () => {
    const { shown } = await watched();
    const nested = image(await picture(8, 8, 'png'), 'image/png');
    const result = await shown({
      content: [text('here'), { type: 'report', figure: nested }],
      structuredContent: { content: [nested] },
      _meta: { preview: nested },
    });
    expect(outline(result)).toEqual(['here', 'data report']);
    expect(result).toMatchObject({ structuredContent: { content: [nested] }, meta: { preview: nested } });
  });

  it('A-07 fails whole where a picture is over a limit or of another type, as possibly done', async () => {
    const { shown } = await watched();
    const small = await picture(8, 8, 'png');
    const wrong = {
      image_too_many_pixels: image(await picture(8_200, 5_000, 'png'), 'image/png'),
      image_too_large: image(Buffer.concat([small, Buffer.alloc(33 * MIB - small.length)]), 'image/png'),
      image_type: image(await picture(8, 8, 'jpeg'), 'image/png'),
    };
    for (const [code, block] of Object.entries(wrong)) {
      await expect(shown({ content: [text('before'), block] })).rejects.toMatchObject({
        code,
        index: 1,
        message: expect.stringMatching(/The tool may have had its effects\.$/),
      });
    }
    expect(outline(await shown({ content: [text('still here')] }))).toEqual(['still here']);
  });

  it('SAI-38.3 keeps structured content and metadata as data, whatever their names', async () => {
    const { shown } = await watched();
    const named = '{"__proto__":{"polluted":true},"constructor":{"prototype":1},"a":"õ€漢"}';
    const result = await shown({
      content: [JSON.parse(`{"type":"report","__proto__":{"polluted":true}}`)],
      structuredContent: JSON.parse(named) as unknown,
      _meta: JSON.parse(named) as unknown,
    });
    expect(JSON.stringify(result.structuredContent)).toBe(named);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
    expect(result.parts[0]).not.toHaveProperty('block.polluted');
    expect(result.meta).not.toHaveProperty('polluted');
    expect(result.meta).toMatchObject({ a: 'õ€漢' });
  });
});
