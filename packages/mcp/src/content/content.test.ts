import { createCipheriv } from 'node:crypto';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { CONTENT_LIMITS, MaxDimension, projectResult, type Part } from '../content.ts';

const MIB = 1024 * 1024;
type Format = 'png' | 'jpeg' | 'webp';

/** A plain picture. */
function picture(width: number, height: number, format: Format = 'png', background = '#3366cc') {
  return sharp({ create: { width, height, channels: 3, background } })
    .toFormat(format)
    .toBuffer();
}

function block(bytes: Buffer, mimeType: string) {
  return { type: 'image', data: bytes.toString('base64'), mimeType };
}

const text = (value: string) => ({ type: 'text', text: value });

function images(parts: readonly Part[]) {
  return parts.flatMap((part) => (part.type === 'image' ? [part] : []));
}

async function onlyImage(bytes: Buffer, mimeType: string, options = {}) {
  const { parts } = await projectResult({ content: [block(bytes, mimeType)] }, options);
  const [image] = images(parts);
  if (!image) throw new Error('no image');
  return image;
}

const failureOf = (answer: Record<string, unknown>, options = {}) =>
  projectResult(answer, options).then(
    () => undefined,
    (error: unknown) => error,
  );

describe('a native result', () => {
  it('A-07 SAI-38.1 keeps texts and images in their order, scaled to 1600 pixels and never enlarged', async () => {
    const wide = await picture(4_000, 1_000);
    const small = await picture(800, 600, 'webp');
    const content = [
      text('before'),
      block(wide, 'image/png'),
      text('middle'),
      block(small, 'image/webp'),
      text('after'),
    ];
    const { parts, isError } = await projectResult({ content });
    expect(isError).toBe(false);
    expect(parts.map((part) => (part.type === 'text' ? part.text : part.type))).toEqual([
      'before',
      'image',
      'middle',
      'image',
      'after',
    ]);
    expect(images(parts).map(({ facts }) => facts.sent)).toEqual([
      { width: 1_600, height: 400 },
      { width: 800, height: 600 },
    ]);
    for (const { png } of images(parts))
      expect(await sharp(png).metadata()).toMatchObject({ format: 'png', space: 'srgb' });
  });

  it('A-07 SAI-38.2 is scaled as the caller says', async () => {
    const wide = await picture(4_000, 1_000);
    expect((await onlyImage(wide, 'image/png', { maxDimension: 'original' })).facts.sent.width).toBe(4_000);
    expect((await onlyImage(wide, 'image/png', { maxDimension: 100 })).facts.sent).toEqual({
      width: 100,
      height: 25,
    });
    expect((await onlyImage(wide, 'image/png', { maxDimension: 1 })).facts.sent).toEqual({
      width: 1,
      height: 1,
    });
  });

  it('SAI-38.2 is scaled from one pixel past the longest side on', async () => {
    const sentOf = async (width: number, options = {}) =>
      (await onlyImage(await picture(width, 4), 'image/png', options)).facts.sent.width;
    expect([await sentOf(1_600), await sentOf(1_601)]).toEqual([1_600, 1_600]);
    const most = { maxDimension: 16_384 };
    expect([await sentOf(16_384, most), await sentOf(16_385, most)]).toEqual([16_384, 16_384]);
    expect(await sentOf(16_385, { maxDimension: 'original' })).toBe(16_385);
  });

  it('SAI-38.2 is asked for from 1 to 16384 pixels or as it is, and in no other way', () => {
    const isAsked = (value: unknown) => MaxDimension.safeParse(value).success;
    expect([1, 16_384, 'original'].map(isAsked)).toEqual([true, true, true]);
    const wrong = [0, 16_385, -1, 1.5, '1600', 'Original', null, Number.NaN, Infinity];
    expect(wrong.filter(isAsked)).toEqual([]);
  });

  it('SAI-38.1 turns an image as it asks, and takes its metadata out', async () => {
    const source = await sharp(await picture(300, 100, 'jpeg'))
      .withMetadata({ orientation: 6 })
      .toBuffer();
    const { png, facts } = await onlyImage(source, 'image/jpeg');
    expect(facts).toMatchObject({
      sourceType: 'image/jpeg',
      source: { width: 300, height: 100 },
      oriented: { width: 100, height: 300 },
      sent: { width: 100, height: 300 },
      bytes: png.length,
    });
    const { orientation, exif, icc } = await sharp(png).metadata();
    expect({ orientation, exif, icc }).toEqual({ orientation: undefined, exif: undefined, icc: undefined });
  });

  it('SAI-38.3 shows other blocks as data, without their bytes, and promotes nothing to an image', async () => {
    const nested = { type: 'image', data: (await picture(8, 8)).toString('base64'), mimeType: 'image/png' };
    const content = [
      { type: 'audio', data: 'AAAA', mimeType: 'audio/wav' },
      { type: 'resource', resource: { uri: 'file:///x', blob: 'AAA=', mimeType: 'image/png' } },
      { type: 'resource_link', uri: 'file:///y', name: 'y' },
      { type: 'hologram', shape: 'cube' },
    ];
    const { parts, structuredContent } = await projectResult({ content, structuredContent: { nested } });
    expect(parts).toEqual([
      { type: 'data', block: { type: 'audio', mimeType: 'audio/wav', bytes: 3 } },
      {
        type: 'data',
        block: { type: 'resource', resource: { uri: 'file:///x', mimeType: 'image/png', bytes: 2 } },
      },
      { type: 'data', block: { type: 'resource_link', uri: 'file:///y', name: 'y' } },
      { type: 'data', block: { type: 'hologram', shape: 'cube' } },
    ]);
    expect(structuredContent).toEqual({ nested });
  });

  it('A-07 SAI-38.4 that is an error keeps its text and gives no images', async () => {
    const content = [text('it failed'), block(await picture(10, 10), 'image/png')];
    const { isError, parts } = await projectResult({ content, isError: true });
    expect(isError).toBe(true);
    expect(parts[0]).toEqual(text('it failed'));
    expect(parts[1]).toMatchObject({ type: 'data', block: { type: 'image', mimeType: 'image/png' } });
    expect(images(parts)).toEqual([]);
  });

  const malformed = [
    {},
    { content: 'text' },
    { content: [{ type: 'text' }] },
    { content: [{ type: 'image', data: 7, mimeType: 'image/png' }] },
    { content: [null] },
    { content: [], isError: 'no' },
  ];

  it.each(malformed)('SAI-38.5 is validated as a whole: %j is none', async (answer) => {
    expect(await failureOf(answer)).toMatchObject({
      code: 'envelope_malformed',
      message: 'The result is no tool result. The tool may have had its effects.',
    });
  });
});

describe('an image', () => {
  it('A-07 SAI-38.6 is of the type that its bytes show, and declares it', async () => {
    const jpeg = await picture(10, 10, 'jpeg');
    expect(await failureOf({ content: [block(jpeg, 'image/png')] })).toMatchObject({
      code: 'image_type',
      index: 0,
    });
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>');
    expect(await failureOf({ content: [block(svg, 'image/svg+xml')] })).toMatchObject({ code: 'image_type' });
    const gif = Buffer.from('R0lGODlhAQABAAAAACw=', 'base64');
    expect(await failureOf({ content: [block(gif, 'image/gif')] })).toMatchObject({ code: 'image_type' });
  });

  const LOOSE = ['AAA', 'AAA\n', 'A===', 'AB==', '-_-_', '!!!!'];

  it.each(LOOSE)('SAI-38.6 comes in strict base64: %j is none', async (data) => {
    const content = [{ type: 'image', data, mimeType: 'image/png' }];
    expect(await failureOf({ content })).toMatchObject({ code: 'image_malformed' });
  });

  it('SAI-38.6 that is cut off or no image inside is refused', async () => {
    const jpeg = await picture(400, 400, 'jpeg');
    const cut = jpeg.subarray(0, jpeg.length / 2);
    expect(await failureOf({ content: [block(cut, 'image/jpeg')] })).toMatchObject({
      code: 'image_malformed',
    });
    const hollow = Buffer.concat([jpeg.subarray(0, 4), Buffer.alloc(100)]);
    expect(await failureOf({ content: [block(hollow, 'image/jpeg')] })).toMatchObject({
      code: 'image_malformed',
    });
  });

  it('SAI-38.6 that moves is refused, as WebP and as PNG', async () => {
    const frames = await Promise.all(['#f00', '#0f0'].map((colour) => picture(8, 8, 'png', colour)));
    const webp = await sharp(frames, { join: { animated: true } })
      .webp()
      .toBuffer();
    expect(await failureOf({ content: [block(webp, 'image/webp')] })).toMatchObject({
      code: 'image_animated',
    });
    const [still = Buffer.alloc(0)] = frames;
    const acTL = Buffer.from('\0\0\0\u0008acTL\0\0\0\u0002\0\0\0\0\0\0\0\0', 'latin1');
    const apng = Buffer.concat([still.subarray(0, 33), acTL, still.subarray(33)]);
    expect(await failureOf({ content: [block(apng, 'image/png')] })).toMatchObject({
      code: 'image_animated',
    });
  });

  it('SAI-38.7 has 40 million pixels at most', async () => {
    const most = await picture(8_000, 5_000);
    expect((await onlyImage(most, 'image/png')).facts.sent).toEqual({ width: 1_600, height: 1_000 });
    const oneMore = await picture(754_717, 53);
    expect(await failureOf({ content: [block(oneMore, 'image/png')] })).toMatchObject({
      code: 'image_too_many_pixels',
      message: 'The image has more than 40 million pixels (block 0). The tool may have had its effects.',
    });
  });

  it('SAI-38.7 has 32 MiB at most, alone and together with the others', async () => {
    const small = await picture(8, 8);
    const padded = (size: number) =>
      block(Buffer.concat([small, Buffer.alloc(size - small.length)]), 'image/png');
    const { source } = CONTENT_LIMITS;
    expect(images((await projectResult({ content: [padded(source)] })).parts)).toHaveLength(1);
    expect(await failureOf({ content: [padded(source + 1)] })).toMatchObject({
      code: 'image_too_large',
      index: 0,
    });
    const half = padded(source / 2);
    expect(images((await projectResult({ content: [half, half] })).parts)).toHaveLength(2);
    expect(await failureOf({ content: [half, padded(source / 2 + 1)] })).toMatchObject({
      code: 'image_too_large',
      index: 1,
    });
  });

  it('SAI-38.7 comes out with 16 MiB at most, or fails whole', async () => {
    // Noise cannot be compressed: the length of its PNG follows from its size alone.
    const asItIs = { maxDimension: 'original' };
    const edge = await onlyImage(await noise(2_460, 2_269), 'image/png', asItIs);
    expect(edge.facts.bytes).toBe(16 * MIB);
    const over = await noise(8_791, 635);
    expect(over.length).toBe(16 * MIB + 1);
    expect(await failureOf({ content: [block(over, 'image/png')] }, asItIs)).toMatchObject({
      code: 'image_too_large',
      message: 'The PNG is over 16 MiB (block 0). The tool may have had its effects.',
    });
    expect((await onlyImage(over, 'image/png', { maxDimension: 800 })).facts.sent.width).toBe(800);
  });
});

/** A picture of noise, the same in every run. */
function noise(width: number, height: number): Promise<Buffer> {
  const cipher = createCipheriv('aes-128-ctr', Buffer.alloc(16), Buffer.alloc(16));
  const raw = { width, height, channels: 3 } as const;
  return sharp(cipher.update(Buffer.alloc(width * height * 3)), { raw })
    .png()
    .toBuffer();
}

describe('text and data of a result', () => {
  const kinds = {
    text: (fill: string) => ({ content: [text(fill)] }),
    'structured content': (rows: string) => ({ structuredContent: { rows } }),
    metadata: (note: string) => ({ content: [], _meta: { note } }),
    'another block': (shape: string) => ({ content: [{ type: 'hologram', shape }] }),
    'an error': (fill: string) => ({ content: [text(fill)], isError: true }),
  };

  it.each(Object.entries(kinds))('SAI-38.8 have 1 MiB at most: %s', async (_, answer) => {
    const projected = await projectResult(answer(''));
    const frame = JSON.stringify(projected).length;
    const fits = 'x'.repeat(MIB - frame);
    await expect(projectResult(answer(fits))).resolves.toMatchObject({ isError: projected.isError });
    expect(await failureOf(answer(`${fits}x`))).toMatchObject({ code: 'text_too_large' });
    // An escape counts as it is written, a letter by its bytes.
    expect(await failureOf(answer(`${fits.slice(1)}\n`))).toMatchObject({ code: 'text_too_large' });
    expect(await failureOf(answer(`${fits.slice(1)}õ`))).toMatchObject({ code: 'text_too_large' });
  });

  it('SAI-38.8 have 1 MiB at most together, what is said of the images included', async () => {
    const image = block(await picture(8, 8), 'image/png');
    const parts = (await projectResult({ content: [image] })).parts.map((part) =>
      part.type === 'image' ? { type: part.type, facts: part.facts } : part,
    );
    const answer = (fill: string) => ({ content: [text(fill), image], _meta: { a: 1 } });
    const frame = JSON.stringify({ isError: false, parts: [text(''), ...parts], meta: { a: 1 } }).length;
    const fits = 'x'.repeat(MIB - frame);
    expect((await projectResult(answer(fits))).parts).toHaveLength(2);
    expect(await failureOf(answer(`${fits}x`))).toMatchObject({ code: 'text_too_large' });
  });

  it('SAI-38.9 are not given to a caller that has cancelled meanwhile', async () => {
    const caller = new AbortController();
    const result = failureOf(
      { content: [block(await picture(2_000, 2_000), 'image/png')] },
      { signal: caller.signal },
    );
    caller.abort();
    expect(await result).toMatchObject({ code: 'cancelled' });
  });
});
