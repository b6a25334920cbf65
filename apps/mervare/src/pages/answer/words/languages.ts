import { english } from './english.ts';
import { estonian } from './estonian.ts';
import { finnish } from './finnish.ts';
import { german } from './german.ts';
import { swedish } from './swedish.ts';
import type { Words } from './words.ts';

const languages: readonly Words[] = [english, estonian, finnish, german, swedish];

/** The words for a survey in this language (BCP 47), whatever its region; in English where there are none. */
export function wordsIn(language: string): Words {
  const [base] = language.toLowerCase().split('-');
  return languages.find(({ lang }) => lang === base) ?? english;
}
