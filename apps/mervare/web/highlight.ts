/** What the page did, for the agent. */
export type Highlighted = { readonly highlighted: string } | { readonly notFound: string };

/** Marks a harbour on the map. */
export async function highlightHarbour(name: string): Promise<Highlighted> {
  const mark = await findMark(name);
  if (!mark) return { notFound: name };
  for (const lit of document.querySelectorAll('.mark.lit')) lit.classList.remove('lit');
  mark.classList.add('lit');
  mark.parentElement?.append(mark);
  mark.closest('svg')?.scrollIntoView({ block: 'nearest' });
  return { highlighted: nameOf(mark) };
}

/** The mark of a harbour on the map. Where the page does not show it, the page's own search does first. */
export async function findMark(name: string): Promise<Element | undefined> {
  return markOf(name) ?? (await searchFor(name));
}

function markOf(name: string): Element | undefined {
  const wanted = name.trim().toLowerCase();
  const marks = [...document.querySelectorAll('svg.map .mark')];
  return (
    marks.find((mark) => nameOf(mark).toLowerCase() === wanted) ??
    marks.find((mark) => nameOf(mark).toLowerCase().startsWith(wanted))
  );
}

function nameOf(mark: Element): string {
  return mark.querySelector('title')?.textContent ?? '';
}

/** Puts the results of a search by name in place of what the page shows, as if the visitor had searched. */
async function searchFor(name: string): Promise<Element | undefined> {
  const address = `/harbours?${new URLSearchParams({ q: name })}`;
  const response = await fetch(address);
  if (!response.ok) return undefined;
  const page = new DOMParser().parseFromString(await response.text(), 'text/html');
  const found = page.querySelector('.found');
  const shown = document.querySelector('.found') ?? document.querySelector('main svg.map');
  if (!found || !shown) return undefined;
  shown.replaceWith(document.importNode(found, true));
  history.pushState(null, '', address);
  return markOf(name);
}
