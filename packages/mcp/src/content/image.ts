import sharp, { type Metadata, type Sharp } from 'sharp';
import { z } from 'zod';
import { fromBase64, imageType, isAnimatedPng } from './bytes.ts';
import { ContentFailure } from './errors.ts';
import { CONTENT_LIMITS } from './limits.ts';
import { inTurn } from './turn.ts';

/** Longest side of what comes out, 1 to 16,384 pixels, or the size as it is. */
export const MaxDimension = z.union([z.int().min(1).max(CONTENT_LIMITS.largestSide), z.literal('original')]);
export type MaxDimension = z.infer<typeof MaxDimension>;

/** What became of a source image. Sizes in pixels. */
export interface ImageFacts {
  readonly sourceType: string;
  readonly source: Size;
  /** After the orientation that the image asks for. */
  readonly oriented: Size;
  readonly sent: Size;
  readonly bytes: number;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** A source image as upright sRGB PNG without metadata, never enlarged. */
export interface Picture {
  readonly png: Buffer;
  readonly facts: ImageFacts;
}

/** Decodes one image block and makes the PNG of it. Throws `ContentFailure`. */
export async function toPicture(
  { data, mimeType }: { readonly data: string; readonly mimeType: string },
  index: number,
  longest: MaxDimension,
): Promise<Picture> {
  const bytes = fromBase64(data);
  if (!bytes) throw new ContentFailure('image_malformed', 'The image is no strict base64', index);
  const type = imageType(bytes);
  if (!type || type !== mimeType) {
    throw new ContentFailure('image_type', `The image is no static PNG, JPEG or WebP as it declares`, index);
  }
  try {
    return await inTurn(() => convert(bytes, type, index, longest));
  } catch (error) {
    if (error instanceof ContentFailure) throw error;
    throw new ContentFailure('image_malformed', 'The image cannot be decoded', index, error);
  }
}

async function convert(
  bytes: Buffer,
  sourceType: string,
  index: number,
  longest: MaxDimension,
): Promise<Picture> {
  const metadata = await sharp(bytes, { limitInputPixels: false }).metadata();
  requireStill(bytes, metadata, index);
  const image = sharp(bytes, { limitInputPixels: CONTENT_LIMITS.pixels, failOn: 'error' });
  const { data: png, info } = await fitted(image.autoOrient(), longest)
    .png()
    .toBuffer({ resolveWithObject: true });
  if (png.length > CONTENT_LIMITS.png)
    throw new ContentFailure('image_too_large', 'The PNG is over 16 MiB', index);
  const { width, height, autoOrient } = metadata;
  const sent = { width: info.width, height: info.height };
  return {
    png,
    facts: { sourceType, source: { width, height }, oriented: autoOrient, sent, bytes: png.length },
  };
}

/** Looks at the header alone: a bomb is refused before a pixel is decoded. */
function requireStill(bytes: Buffer, { width, height, pages = 1 }: Metadata, index: number): void {
  if (pages > 1 || isAnimatedPng(bytes))
    throw new ContentFailure('image_animated', 'The image is animated', index);
  if (width * height > CONTENT_LIMITS.pixels) {
    throw new ContentFailure('image_too_many_pixels', 'The image has more than 40 million pixels', index);
  }
}

function fitted(image: Sharp, longest: MaxDimension): Sharp {
  const upright = image.toColourspace('srgb');
  if (longest === 'original') return upright;
  return upright.resize({ width: longest, height: longest, fit: 'inside', withoutEnlargement: true });
}
