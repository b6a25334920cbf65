import { needs, Untrusted, untrusted } from '@portolan/mcp/tool';
import { z } from 'zod';
import { tool } from '../../mcp/tool.ts';
import { previewHtml } from '../../pages/answer/preview.tsx';
import { readEdition } from '../../survey/editions.ts';
import { previewPath, PREVIEW_MS } from '../../survey/preview.ts';
import { Time } from '../shapes.ts';
import { EditionNumber, SurveyId } from './shapes.ts';

/** Characters of a page that is still of use to a model. */
const LONGEST_PAGE = 200_000;

export const surveyPreview = tool('survey_preview', {
  title: 'Preview a survey',
  says: 'The page that a respondent would see, as HTML text and as a link that anybody can open for 24 hours. The page checks answers like the real one and never takes any.',
  access: needs('author', 'publisher', 'reader'),
  effect: 'reads',
  input: z.strictObject({ surveyId: SurveyId, edition: EditionNumber }),
  output: z.object({
    link: z.string(),
    expiresAt: Time,
    html: Untrusted.optional().describe('Absent above 200,000 characters'),
  }),
  example: { surveyId: '0198c5c8-2a00-7000-8000-000000000031', edition: 1 },
}).run(async ({ surveyId: survey, edition: number }, { deps: { db, origin, asset, previewKey, now } }) => {
  const edition = await readEdition(db, { survey, edition: number });
  const expiresAt = now() + PREVIEW_MS;
  const html = await previewHtml({ asset }, edition);
  return {
    link: new URL(previewPath(previewKey, edition, expiresAt), origin).href,
    expiresAt: new Date(expiresAt).toISOString(),
    ...(html.length <= LONGEST_PAGE && { html: untrusted(html) }),
  };
});
