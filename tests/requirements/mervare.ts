import type { Requirement } from '../requirements.ts';

export const mervare: Readonly<Record<string, Requirement>> = {
  'MER-1': {
    says: 'One registry lists the three servers; everything public is computed from it.',
    claim: 'partly',
    behaviours: {
      1: 'the scopes of a server follow from its families',
      2: 'page and documents lose a family that is turned off',
      3: 'page and documents say what is open and configure clients for that alone',
      4: 'the committed documents and snapshots are the ones that the registry gives',
    },
  },
  'MER-2': {
    says: 'Server names, tool names and their order are exactly the published ones.',
    claim: 'partly',
    behaviours: {
      1: 'three servers with exactly their names and endpoints',
      2: '104, 5 and 6 published names in the published order; of the tools behind them, the five of the harbour family exist',
    },
  },
  'MER-3': { says: 'The capabilities tools answer every authenticated caller about itself.', claim: 'open' },
  'MER-4': {
    says: 'Listing and calling ask one function; a hidden tool answers like a missing one.',
    claim: 'partly',
    behaviours: {
      1: 'a caller is given the built tools that its entitlement opens',
      2: 'on the anonymous endpoint a tool of another family answers like one that does not exist',
    },
  },
  'MER-5': {
    says: 'serverInfo.version is the release and a fingerprint of the list served to this caller.',
    claim: 'partly',
    behaviours: {
      1: 'the anonymous endpoint: the same list, the same string on every node; another list, another string',
    },
  },
  'MER-6': {
    says: 'The size of every tool is printed and bounded.',
    claim: 'whole',
    behaviours: {
      1: 'every tool is within 450 tokens for name, description and input, and 900 as a whole',
      2: 'the documents print the measured sizes of every tool, and no list is above 40,000 tokens',
      3: 'page and documents print the size of the list by scope',
    },
  },
  'MER-7': {
    says: 'Both protocol revisions on each endpoint, stateless.',
    claim: 'partly',
    behaviours: {
      1: 'the anonymous endpoint serves both SDKs, in every negotiation, by its address alone',
      2: 'the anonymous endpoint serves the Inspector on a command line',
    },
  },
  'MER-10': {
    says: 'Each endpoint takes exactly its kinds of credential.',
    claim: 'partly',
    behaviours: {
      1: 'the anonymous endpoint ignores a credential and does not log it',
    },
  },
  'MER-11': { says: 'One entitlement table decides who reaches which family.', claim: 'open' },
  'MER-12': { says: 'A token works only at its resource; static tokens are kept as hashes.', claim: 'open' },
  'MER-13': { says: 'Challenges name the metadata document and the scopes.', claim: 'open' },
  'MER-14': {
    says: 'The anonymous endpoint can read nothing but what the public page shows.',
    claim: 'whole',
    behaviours: {
      1: 'a credential gives nothing, changes nothing and is not logged',
      2: 'no answer is 401 or 403 or carries WWW-Authenticate',
      3: 'there is no protected-resource document',
      4: 'the database role may read the one view and nothing else',
      5: 'page and tools say the same of every harbour and never a private field',
      6: 'the running site reads as that role',
    },
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
    claim: 'partly',
    behaviours: {
      1: 'every built tool has schemas, a title, words for a model, an example and all hints; none of them writes yet',
    },
  },
  'MER-31': { says: 'The 38 survey tools.', claim: 'open' },
  'MER-32': { says: 'The two logbook tools.', claim: 'open' },
  'MER-33': {
    says: 'The five harbour tools on real ports.',
    claim: 'whole',
    behaviours: {
      1: 'search near a place is by great-circle distance, the nearest first',
      2: 'search by words is ranked',
      3: 'conditions on facts that are not recorded match nothing and say so',
      4: 'pages give every match once',
      5: 'queries count by conditions on allow-listed fields',
      6: 'queries group, the largest first',
      7: 'the figures are those of the package, loaded once',
      8: 'an import merges, is idempotent, all or nothing',
      9: 'an import is refused with every fault at once',
      10: 'every tool answers its example in its own schema to a real client',
    },
  },
  'MER-34': { says: 'The six builder tools.', claim: 'open' },
  'MER-35': { says: 'The 29 agent tools.', claim: 'open' },
  'MER-36': { says: 'The 24 funding tools.', claim: 'open' },
  'MER-37': { says: 'Funding roles stand in one table.', claim: 'open' },
  'MER-40': {
    says: 'The builder worker merges only what passed, fenced against a lost lease.',
    claim: 'open',
  },
  'MER-50': {
    says: 'The pages, with the map drawn on the server.',
    claim: 'partly',
    behaviours: {
      1: 'the search page, with results and map',
      2: 'names are escaped wherever they are shown',
      3: 'every public page forbids script, framing and foreign content',
      4: 'start, search, harbour and developer pages are clean under axe, light and dark, wide and narrow',
      5: 'searching and opening a harbour works by keyboard, without script',
      6: 'every page loads from this site alone',
    },
  },
  'MER-51': {
    says: "The site mints the visitor's chat session.",
    claim: 'partly',
    behaviours: {
      1: 'anonymous visitors get one on the pages of the site only, with an opaque HttpOnly cookie',
    },
  },
  'MER-60': { says: 'Mail is queued, retried, never sent twice.', claim: 'open' },
  'MER-70': {
    says: '`mervare serve|admin|check|export|import|erase|docs` and the health routes.',
    claim: 'partly',
    behaviours: {
      1: 'a wrong command line ends with 64',
      2: 'check says every fault at once and ends with 78',
      3: 'serve writes and removes endpoint.json, and SIGTERM drains',
      4: 'serve runs on an embedded database that an import joins',
    },
  },
};
