import { findMark } from './highlight.ts';

/** Puts the address of a harbour's page on the visitor's clipboard. */
export async function copyHarbourLink(name: string): Promise<{ copied: string } | { notFound: string }> {
  const slug = (await findMark(name))?.getAttribute('data-slug');
  if (!slug) return { notFound: name };
  const link = new URL(`/harbours/${slug}`, location.href).href;
  await navigator.clipboard.writeText(link);
  return { copied: link };
}
