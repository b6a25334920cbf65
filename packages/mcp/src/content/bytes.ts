/** Bytes of strict base64: whole groups, canonical padding, nothing between. Undefined for anything else. */
export function fromBase64(text: string): Buffer | undefined {
  if (text.length % 4 !== 0) return undefined;
  const bytes = Buffer.from(text, 'base64');
  return bytes.toString('base64') === text ? bytes : undefined;
}

/** How many bytes base64 text stands for, without decoding it. */
export function base64Length(text: string): number {
  const padding = text.endsWith('==') ? 2 : Number(text.endsWith('='));
  return Math.floor((text.length * 3) / 4) - padding;
}

/** The image type that the bytes themselves show; undefined for every type that we do not take. */
export function imageType(bytes: Buffer): 'image/png' | 'image/jpeg' | 'image/webp' | undefined {
  const head = bytes.toString('latin1', 0, 12);
  if (head.startsWith('\u0089PNG\r\n\u001a\n')) return 'image/png';
  if (head.startsWith('\u00ff\u00d8\u00ff')) return 'image/jpeg';
  if (head.startsWith('RIFF') && head.endsWith('WEBP')) return 'image/webp';
  return undefined;
}

/** True for a PNG that announces an animation before its pixels. Decoders would show its first frame and hide the rest. */
export function isAnimatedPng(bytes: Buffer): boolean {
  for (let at = 8; at + 8 <= bytes.length;) {
    const type = bytes.toString('latin1', at + 4, at + 8);
    if (type === 'acTL') return true;
    if (type === 'IDAT') return false;
    at += 12 + bytes.readUInt32BE(at);
  }
  return false;
}
