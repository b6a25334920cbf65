import JSZip from 'jszip';
import { describe, expect, it } from 'vitest';
import { createExtract } from './extract.ts';
import { LIMITS } from './limits.ts';

/** What is in a file does not depend on how busy the machine is. */
const extract = createExtract({ ...LIMITS, time: 100_000 });
const never = new AbortController().signal;

describe('text of documents', () => {
  it('SVE-30.1 comes from text and Markdown as it stands', async () => {
    expect(await extract('notes.md', Buffer.from('# Tere, Käsmu ⚓\n\n- üks\n'), never)).toEqual({
      ok: true,
      text: '# Tere, Käsmu ⚓\n\n- üks',
      cut: false,
    });
  });

  it('SVE-30.1 comes from a CSV as a Markdown table, whatever its delimiter', async () => {
    const csv = 'harbour;depth\n"Käsmu; old";3,5\nVergi|2;4\n';
    expect(await extract('harbours.csv', Buffer.from(csv), never)).toEqual({
      ok: true,
      text: '| harbour | depth |\n| --- | --- |\n| Käsmu; old | 3,5 |\n| Vergi\\|2 | 4 |',
      cut: false,
    });
  });

  it('SVE-30.1 comes from a PDF', async () => {
    expect(await extract('pilot.pdf', onePagePdf('Leading lights 138 degrees'), never)).toEqual({
      ok: true,
      text: 'Leading lights 138 degrees',
      cut: false,
    });
  });

  it('SVE-30.1 comes from a DOCX', async () => {
    const file = await docx(`<w:p><w:r><w:t>Berths: 24</w:t></w:r></w:p>`);
    expect(await extract('berths.docx', file, never)).toEqual({ ok: true, text: 'Berths: 24', cut: false });
  });

  it('is cut where a message takes no more, and says so', async () => {
    const found = await extract('long.txt', Buffer.from('x'.repeat(150_001)), never);
    expect(found).toMatchObject({ ok: true, cut: true });
    expect(found.ok && found.text.length).toBe(150_000);
  });

  it('is refused with a sentence for what has none', async () => {
    const cases: [string, Uint8Array, string][] = [
      [
        'photo.png',
        Buffer.from('\u0089PNG', 'latin1'),
        'Text is read from .txt, .md, .csv, .pdf and .docx files.',
      ],
      [
        'fake.pdf',
        Buffer.from('%PDF-1.7 and nothing else'),
        'The file is damaged, or not what its name says.',
      ],
      ['latin.txt', Buffer.from([0x54, 0xe4]), 'The file is damaged, or not what its name says.'],
      ['empty.txt', Buffer.from('  \n'), 'There is no text in the file.'],
      ['big.txt', Buffer.alloc(10 * 1024 * 1024 + 1, 'a'), 'The file is larger than 10 MiB.'],
    ];
    for (const [name, bytes, error] of cases)
      expect([name, await extract(name, bytes, never)]).toEqual([name, { ok: false, error }]);
  });

  it('survives a bomb: what it unpacks to is bounded in a process of its own', async () => {
    const bomb = await docx('<w:p><w:r><w:t>a</w:t></w:r></w:p>'.repeat(1_000_000));
    expect(bomb.length).toBeLessThan(1024 * 1024);
    const bounded = createExtract({ memory: 200 * 1024 * 1024, time: 20_000 });
    expect(await bounded('bomb.docx', bomb, never)).toEqual({
      ok: false,
      error: 'The file could not be read within the limits of time and memory.',
    });
  });

  it('is given up when its time is over', async () => {
    const hurried = createExtract({ ...LIMITS, time: 1 });
    expect(await hurried('notes.txt', Buffer.from('anything'), never)).toMatchObject({ ok: false });
  });
});

/** The smallest document that Word would open. */
async function docx(paragraphs: string): Promise<Buffer> {
  const zip = new JSZip();
  const open = 'http://schemas.openxmlformats.org';
  zip.file(
    '[Content_Types].xml',
    `<Types xmlns="${open}/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>`,
  );
  zip.file(
    '_rels/.rels',
    `<Relationships xmlns="${open}/package/2006/relationships"><Relationship Id="r1" Type="${open}/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>`,
  );
  zip.file(
    'word/document.xml',
    `<w:document xmlns:w="${open}/wordprocessingml/2006/main"><w:body>${paragraphs}</w:body></w:document>`,
  );
  return zip.generateAsync({ type: 'nodebuffer', compression: 'DEFLATE' });
}

/** A PDF of one page with one line. */
function onePagePdf(text: string): Buffer {
  const stream = `BT /F1 18 Tf 40 700 Td (${text}) Tj ET`;
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ];
  let body = '%PDF-1.4\n';
  const offsets = objects.map((object, index) => {
    const at = body.length;
    body += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(at).padStart(10, '0')} 00000 n \n`;
  });
  const table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${offsets.join('')}`;
  return Buffer.from(
    `${body}${table}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${body.length}\n%%EOF\n`,
  );
}
