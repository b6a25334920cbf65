import type { Requirement } from '../requirements.ts';

export const mervare: Readonly<Record<string, Requirement>> = {
  'MER-1': {
    says: 'One registry lists the three servers; everything public is computed from it.',
    claim: 'open',
  },
  'MER-2': {
    says: 'Server names, tool names and their order are exactly the published ones.',
    claim: 'open',
  },
  'MER-3': { says: 'The capabilities tools answer every authenticated caller about itself.', claim: 'open' },
  'MER-4': {
    says: 'Listing and calling ask one function; a hidden tool answers like a missing one.',
    claim: 'open',
  },
  'MER-5': {
    says: 'serverInfo.version is the release and a fingerprint of the list served to this caller.',
    claim: 'open',
  },
  'MER-6': { says: 'The size of every tool is printed and bounded.', claim: 'open' },
  'MER-7': { says: 'Both protocol revisions on each endpoint, stateless.', claim: 'open' },
  'MER-10': { says: 'Each endpoint takes exactly its kinds of credential.', claim: 'open' },
  'MER-11': { says: 'One entitlement table decides who reaches which family.', claim: 'open' },
  'MER-12': { says: 'A token works only at its resource; static tokens are kept as hashes.', claim: 'open' },
  'MER-13': { says: 'Challenges name the metadata document and the scopes.', claim: 'open' },
  'MER-14': {
    says: 'The anonymous endpoint can read nothing but what the public page shows.',
    claim: 'open',
  },
  'MER-20': { says: 'The well-known documents are exact and computed.', claim: 'open' },
  'MER-21': { says: 'Clients register themselves, by registration or by metadata document.', claim: 'open' },
  'MER-22': { says: 'PKCE, resource and redirect rules are exact.', claim: 'open' },
  'MER-23': { says: 'Refresh tokens rotate with a grace; nothing is stored in clear.', claim: 'open' },
  'MER-24': { says: 'A client cannot pick scopes; consent lists what remains.', claim: 'open' },
  'MER-25': { says: 'The capabilities tools tell what is granted and what is missing.', claim: 'open' },
  'MER-26': { says: 'A person sees and revokes connected clients.', claim: 'open' },
  'MER-27': {
    says: 'Sign-in is by password, limited; people are managed by super admins, audited.',
    claim: 'open',
  },
  'MER-28': { says: 'One table says who may hold which scope.', claim: 'open' },
  'MER-30': {
    says: 'Every tool has schemas, an example, an effect and an audit row for writes.',
    claim: 'open',
  },
  'MER-31': { says: 'The 38 survey tools.', claim: 'open' },
  'MER-32': { says: 'The two logbook tools.', claim: 'open' },
  'MER-33': { says: 'The five harbour tools on real ports.', claim: 'open' },
  'MER-34': { says: 'The six builder tools.', claim: 'open' },
  'MER-35': { says: 'The 29 agent tools.', claim: 'open' },
  'MER-36': { says: 'The 24 funding tools.', claim: 'open' },
  'MER-37': { says: 'Funding roles stand in one table.', claim: 'open' },
  'MER-40': {
    says: 'The builder worker merges only what passed, fenced against a lost lease.',
    claim: 'open',
  },
  'MER-50': { says: 'The pages, with the map drawn on the server.', claim: 'open' },
  'MER-51': { says: "The site mints the visitor's chat session.", claim: 'open' },
  'MER-60': { says: 'Mail is queued, retried, never sent twice.', claim: 'open' },
  'MER-70': {
    says: '`mervare serve|admin|check|export|import|erase|docs` and the health routes.',
    claim: 'open',
  },
};
