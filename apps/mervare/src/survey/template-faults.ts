import { isLanguage, isName, NO_LANGUAGE, NO_NAME, repeated, when, type Fault } from './fault.ts';
import { isBroken, isUnprintable, LINK, placeholdersIn, RESERVED, UNPRINTABLE } from './placeholders.ts';
import type { LetterText, TemplateText } from './templates.ts';

/** Everything that is wrong with a template, at once. */
export function templateFaults({ name, placeholders, texts }: TemplateText): Fault[] {
  const used = new Set(texts.flatMap(({ subject, body }) => placeholdersIn(`${subject}\n${body}`)));
  const known = new Set([...RESERVED, ...placeholders]);
  return [
    ...when(name.trim() === '', '/name', 'is empty'),
    ...repeated(placeholders, (n) => `/placeholders/${n}`),
    ...placeholders.flatMap((one, n) => [
      ...when(!isName(one), `/placeholders/${n}`, NO_NAME),
      ...when(RESERVED.includes(one), `/placeholders/${n}`, 'is known without being declared'),
      ...when(isName(one) && !used.has(one), `/placeholders/${n}`, 'stands in no text'),
    ]),
    ...when(texts.length === 0, '/texts', 'has no language'),
    ...repeated(texts.map(languageOf), (n) => `/texts/${n}/language`),
    ...texts.flatMap((text, n) => textFaults(text, known, `/texts/${n}`)),
  ];
}

/** Tags that differ in case alone are one language. */
function languageOf({ language }: LetterText): string {
  return language.toLowerCase();
}

/** The link as part of what stands beside it: mail programs would lead elsewhere, or nowhere. */
const JOINED = new RegExp(String.raw`[\p{L}\p{N}_}]\{\{${LINK}\}\}|\{\{${LINK}\}\}[\p{L}\p{N}_{/-]`, 'u');

function textFaults(
  { language, subject, body }: LetterText,
  known: ReadonlySet<string>,
  at: string,
): Fault[] {
  const asksLink = (text: string) => placeholdersIn(text).includes(LINK);
  return [
    ...when(!isLanguage(language), `${at}/language`, NO_LANGUAGE),
    ...when(subject.trim() === '', `${at}/subject`, 'is empty'),
    ...when(isUnprintable(subject), `${at}/subject`, UNPRINTABLE),
    ...when(asksLink(subject), `${at}/subject`, 'has the link, which belongs into the body'),
    ...slotFaults(subject, known, `${at}/subject`),
    ...when(!asksLink(body), `${at}/body`, `lacks {{${LINK}}}`),
    ...when(JOINED.test(body), `${at}/body`, `has no space beside {{${LINK}}}`),
    ...when(isUnprintable(body.replaceAll(/[\n\t]/g, '')), `${at}/body`, 'has a control character'),
    ...slotFaults(body, known, `${at}/body`),
  ];
}

function slotFaults(text: string, known: ReadonlySet<string>, at: string): Fault[] {
  const undeclared = placeholdersIn(text).filter((name) => !known.has(name));
  return [
    ...when(isBroken(text), at, 'has double braces that hold no name'),
    ...undeclared.map((name) => ({ pointer: at, message: `uses {{${name}}}, which is not declared` })),
  ];
}
