import { describe, expect, it } from 'vitest';
import { htmlText } from './html-text.ts';

/** Milliseconds of processor time that a page takes. */
function costOf(html: string): number {
  const before = process.cpuUsage();
  htmlText(html);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

describe('the text of a page', () => {
  it('SVE-20.5 is what a reader sees', () => {
    const html = `<!doctype html><html><head><title>Sadam &amp; kai</title><style>p{}</style></head>
      <body><nav><ul><li>Menu</li></ul></nav><script>evil("<p>x</p>")</script>
      <h1>Tallinn</h1><p>Vanasadam&nbsp;is   &lt;open&gt; &#128674;.<br>Daily.</p>
      <svg><text>no<svg>no</svg>no</text></svg>
      <table><tr><td>Depth</td><td>9 m</td></tr><tr><td>Berths</td><td>12</td></tr></table>
      <div hidden>a<div>b</div></div><!-- no --></body></html>`;
    expect(htmlText(html)).toEqual({
      title: 'Sadam & kai',
      text: 'Tallinn\n\nVanasadam is <open> 🚢.\nDaily.\n\nDepth 9 m\nBerths 12\n\na\nb',
    });
    expect(htmlText('')).toEqual({ title: undefined, text: '' });
    expect(htmlText('no tags &eacute; &unknown; &')).toEqual({
      title: undefined,
      text: 'no tags é &unknown; &',
    });
  });

  it('SVE-20.5 costs what its length costs, however it is built', () => {
    const length = 400_000;
    const pages = [
      '<p>x</p>',
      '<div>',
      '</div>',
      '<svg>',
      '<title',
      '<title>',
      '<!--',
      '<![CDATA[',
      '&',
      '&amp',
      '&#x',
      '<a b="',
      '<',
      '\u0001\u0002 ',
      '<script>',
      '< a',
      "<p '",
    ];
    for (const piece of pages)
      expect([piece, costOf(piece.repeat(length / piece.length)) < 2_500]).toEqual([piece, true]);
  });
});
