/** The types of cards, and how work on them is done: planned ones are split, the others are carried out. */
export const cardTypes = [
  { name: 'project', work: 'planned' },
  { name: 'goal', work: 'planned' },
  { name: 'architecture', work: 'carried out' },
  { name: 'code', work: 'carried out' },
  { name: 'test', work: 'carried out' },
  { name: 'doc', work: 'carried out' },
  { name: 'data', work: 'carried out' },
  { name: 'research', work: 'carried out' },
  { name: 'ops', work: 'carried out' },
] as const;
