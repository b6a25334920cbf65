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
  'MER-3': {
    says: 'The capabilities tools answer every authenticated caller about itself.',
    claim: 'whole',
    behaviours: {
      1: 'they tell a caller what is granted and what is missing',
      2: 'survey_capabilities is listed with a survey scope; both answer everybody who is let in',
      3: 'builder_capabilities is never listed, and is the only one at the builder’s endpoint',
    },
  },
  'MER-4': {
    says: 'Listing and calling ask one function; a hidden tool answers like a missing one.',
    claim: 'whole',
    behaviours: {
      1: 'a caller is given the built tools that its entitlement opens',
      2: 'on the anonymous endpoint a tool of another family answers like one that does not exist',
      3: 'for every credential, what is listed answers and what is not listed is unknown or a step-up',
      4: 'but for the name, a hidden tool and a name that nobody gave have the same bytes and headers',
    },
  },
  'MER-5': {
    says: 'serverInfo.version is the release and a fingerprint of the list served to this caller.',
    claim: 'whole',
    behaviours: {
      1: 'the anonymous endpoint: the same list, the same string on every node; another list, another string',
      2: 'a protected endpoint: the same entitlement by any credential on any node, the same string; another, another',
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
    claim: 'whole',
    behaviours: {
      1: 'the anonymous endpoint serves both SDKs, in every negotiation, by its address alone',
      2: 'the anonymous endpoint serves the Inspector on a command line',
      3: 'both protected endpoints serve both SDKs, in either revision, with a token',
    },
  },
  'MER-10': {
    says: 'Each endpoint takes exactly its kinds of credential.',
    claim: 'whole',
    behaviours: {
      1: 'the anonymous endpoint ignores a credential and does not log it',
      2: 'a credential in the query is refused',
      3: 'a second Authorization header is refused',
      4: 'a program is a row of the page of users, withdrawn and restored on its next call',
      5: 'a variable of tokens may name its own scopes only',
    },
  },
  'MER-11': {
    says: 'One entitlement table decides who reaches which family.',
    claim: 'partly',
    behaviours: {
      2: 'a builder grant is read on every call: given or taken, it acts on the next one',
      3: 'a caller with the rights of this moment costs one question to the database',
    },
  },
  'MER-12': {
    says: 'A token works only at its resource; static tokens are kept as hashes.',
    claim: 'whole',
    behaviours: {
      1: 'a token of one endpoint is refused at the other, in both directions',
      2: 'tokens of programs stop the start with every fault at once, and are kept as hashes only',
    },
  },
  'MER-13': {
    says: 'Challenges name the metadata document and the scopes.',
    claim: 'whole',
    behaviours: {
      1: 'without a credential every request is challenged before method, media type, size or syntax',
      2: 'a credential that does not count is invalid_token, whatever is wrong with it',
      3: 'a tool beyond the connection is a step-up for a person who may hold the scope, and for nobody else',
    },
  },
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
  'MER-20': {
    says: 'The well-known documents are exact and computed.',
    claim: 'whole',
    behaviours: {
      1: 'each protected endpoint has its document at its own location, and the root one names the wide door',
      2: 'the document of the authorization server stands at both of its addresses, exactly, and names public keys made for this database',
      3: 'the documents follow the registry',
      4: 'a strict client library finds its way by them',
    },
  },
  'MER-21': {
    says: 'Clients register themselves, by registration or by metadata document.',
    claim: 'whole',
    behaviours: {
      1: 'a registration is bounded, and one bad redirect address spoils nothing but itself',
      2: 'an administrator sees and removes clients, and with a client go its tokens',
      3: 'both official clients connect by the address alone',
      4: 'a client with a metadata document needs no registration; the document is read once and kept for a while',
      5: 'a document that does not hold is refused on our own page',
      6: 'documents are read from the open internet alone',
      7: 'the page of the clients is clean by axe',
    },
  },
  'MER-22': {
    says: 'PKCE, resource and redirect rules are exact.',
    claim: 'whole',
    behaviours: {
      1: 'one parsed rule says where a client may have people sent',
      2: 'PKCE with S256 or nothing',
      3: 'every answer names the issuer; what is not offered is refused, what means nothing here is ignored',
      4: 'equivalent forms of a resource are one audience, anything else is refused at once',
      5: 'redirect addresses match exactly, but for the port of a loopback one',
      6: 'a strict client library accepts the answers',
    },
  },
  'MER-23': {
    says: 'Refresh tokens rotate with a grace; nothing is stored in clear.',
    claim: 'whole',
    behaviours: {
      1: 'a hundred refreshes at the same moment all work',
      2: 'a lost reply is asked for again within the grace; later use of an old token ends the family and is logged',
      3: 'a refresh token belongs to its client',
      4: 'a disabled account gets nothing',
      5: 'a code works once, for its client, verifier and redirect address; a second use ends what it gave',
      6: 'access tokens live 15 minutes',
      7: 'a client that revokes a token ends its connection, and no other client’s',
      8: 'what was not allowed cannot be had by asking again',
      9: 'no code, token or request secret stands in the database or in the log',
      10: 'the token endpoint answers JSON to everything',
      11: 'a strict client library refreshes and revokes',
    },
  },
  'MER-24': {
    says: 'A client cannot pick scopes; consent lists what remains.',
    claim: 'whole',
    behaviours: {
      1: 'a request without resource means the wide door',
      2: 'who is asked for what gives exactly what the table says, down to the floor, and the page lists it',
      3: 'each row says what a scope opens and how many tools; harbour and builder alone carry a warning',
      4: 'the page leaves nothing to choose but yes and no',
      5: 'the words of a client are shown as text, beside where it sends people',
      6: 'the decision cannot be framed, forged or sent from another page',
      7: 'the decision belongs to the browser that began it and to whoever is signed in there, at any node, over cookies kept from scripts and from plain HTTP',
      8: 'a right that is taken away is gone with the next call',
      9: 'it works without script and by keyboard, and is clean by axe',
      10: 'a real browser frames it nowhere',
    },
  },
  'MER-25': {
    says: 'The capabilities tools tell what is granted and what is missing.',
    claim: 'whole',
    behaviours: {
      1: 'to people and programs: scopes, name, endpoint, and for each missing scope the reason',
    },
  },
  'MER-26': {
    says: 'A person sees and revokes connected clients.',
    claim: 'whole',
    behaviours: {
      1: 'a person sees what each client was allowed, and nothing of others',
      2: 'an ended connection is dead with the next call, and audited',
      3: 'nobody ends what belongs to another',
      4: 'what has ended by itself is not shown',
      5: 'the page is clean by axe and works in a real browser',
    },
  },
  'MER-27': {
    says: 'Sign-in is by password, limited; people are managed by super admins, audited.',
    claim: 'whole',
    behaviours: {
      1: 'sessions are new with each sign-in, HttpOnly, kept as hashes, end with signing out; forms of others are refused',
      2: 'the page of users is for super admins, who make people and change what they may do',
      3: 'every change has its audit row: who, as what, whom, when',
      4: 'guesses are limited by account and by address, over all nodes',
      5: 'the command line makes super admins; a made password is shown once on a terminal or not at all',
      6: 'the stack makes the first super admin',
      7: 'all of it works by keyboard, without script, clean under axe',
    },
  },
  'MER-28': {
    says: 'One table says who may hold which scope.',
    claim: 'partly',
    behaviours: {
      1: 'the table itself, person by person',
      2: 'calls read it: a grant that is given or taken acts on the next call of the same token',
    },
  },
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
    claim: 'whole',
    behaviours: {
      1: 'anonymous visitors get one on the pages of the site only, with an opaque HttpOnly cookie',
      2: 'people who have signed in get one with their scopes but builder, control and funding, which ends with signing out',
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
      5: 'admin create and password',
    },
  },
};
