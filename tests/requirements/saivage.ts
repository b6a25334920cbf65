import type { Requirement } from '../requirements.ts';

export const saivage: Readonly<Record<string, Requirement>> = {
  'SAI-1': {
    says: 'The command line is strict: a wrong option fails with exit code 64 before anything is written.',
    claim: 'partly',
    behaviours: {
      1: 'A wrong option, or a stray argument, ends in 64 with one sentence, before anything is written.',
      2: 'The project is the flag, else the variable, else the working directory.',
      3: '`start` wants a project and a right configuration before it writes anything.',
      4: '`status` says what runs, from the lock alone.',
    },
  },
  'SAI-2': {
    says: '`.saivage/` has one layout; `init` writes it, commented, and never overwrites.',
    claim: 'partly',
    behaviours: {
      1: '`init` writes YAML, schema, identity and .gitignore, and never overwrites.',
      2: 'The starting YAML says exactly the defaults.',
      3: 'A ready server says where it is in endpoint.json, mode 0600, and takes it back at its end.',
    },
  },
  'SAI-3': {
    says: 'saivage.yaml is strict: every fault at once with line and column; a JSON Schema ships with it.',
    claim: 'whole',
    behaviours: {
      1: 'Unknown keys and every other fault are reported at once with line and column.',
      2: 'Variables are replaced in providers and in the env of servers only.',
      3: 'A JSON Schema ships and is named in the first line for editors.',
    },
  },
  'SAI-4': {
    says: 'One server a project: the lock is taken over from a dead owner and never from a living one.',
    claim: 'whole',
    behaviours: {
      1: 'A second server is refused while the first one lives.',
      2: 'A dead owner is taken over by itself, by one of many at once.',
      3: 'A doubtful owner is refused.',
    },
  },
  'SAI-5': {
    says: 'Without SAIVAGE_API_TOKEN the server stays on loopback and its sensitive routes answer 401.',
    claim: 'partly',
    behaviours: {
      1: 'Without the token any host but loopback is refused.',
      2: 'A blank or padded token is refused.',
      3: 'With the token every /api route wants it.',
      4: 'Without it receipts answer 401, and only names of this machine reach the rest.',
    },
  },
  'SAI-6': { says: '`run` works a goal to its end without a listener and exits 0, 1 or 2.', claim: 'open' },
  'SAI-7': {
    says: '`mcp import|list|tools|call` do from a shell what agents do.',
    claim: 'partly',
    behaviours: {
      1: '`list` shows the servers without secrets and starts none.',
      2: '`tools` shows the whole catalog of a server started for it, beside the lock and without the database.',
      3: '`call` prints the result as text or as it was sent.',
      4: 'Exit codes say who must act.',
      5: 'Processes that could not be ended are named, before any other failure.',
      6: '`import` prints the YAML for the block of another client, without the values of its environment.',
    },
  },
  'SAI-8': {
    says: '`reset` removes data and work and keeps what the operator wrote.',
    claim: 'whole',
    behaviours: {
      1: '`data` and `work` are removed, the rest stays.',
      2: 'It asks first, and refuses while a server runs.',
      3: 'The guide names what a complete backup holds.',
    },
  },
  'SAI-10': { says: 'Cards form a versioned tree with one table of transitions.', claim: 'open' },
  'SAI-11': { says: 'Agents are configured names with exact grants.', claim: 'open' },
  'SAI-12': { says: 'Records are versioned documents with provenance.', claim: 'open' },
  'SAI-13': {
    says: 'The runtime can be paused, resumed, stopped and killed without losing an accepted change.',
    claim: 'open',
  },
  'SAI-14': {
    says: 'Background commands belong to the application and are contained at close.',
    claim: 'open',
  },
  'SAI-15': {
    says: 'Models are reached by routes with failover; images go where they can be taken.',
    claim: 'open',
  },
  'SAI-16': {
    says: 'Every Analyst operation works, with one envelope for results.',
    claim: 'partly',
    behaviours: {
      1: 'get_status, show_config and read work, in one envelope.',
    },
  },
  'SAI-17': {
    says: 'File tools stay inside the project and out of `.saivage/`, but for `work/`.',
    claim: 'partly',
    behaviours: {
      1: '`read` stays inside the project and out of `.saivage/`, but for `work/`.',
      2: '`show_config` shows the YAML without its secrets.',
    },
  },
  'SAI-19': {
    says: 'Operator API and Analyst listener are two authorities that never open each other.',
    claim: 'whole',
    behaviours: {
      1: 'The Analyst token gets 401 on every /api route.',
      2: 'The API token gets 401 at the listener.',
      3: 'In the internal mode the port is closed.',
    },
  },
  'SAI-20': {
    says: 'The Analyst listener is configured by flags and one secret variable alone, strictly.',
    claim: 'whole',
    behaviours: {
      1: 'Mode, port, principal and tools are taken exactly or refused.',
      2: 'Tools are a subset of what the configured Analyst is granted.',
      3: 'The internal mode refuses flags that it does not use.',
      4: 'The token is there where it is used, nowhere else, unpadded and not the API token.',
      5: 'No other flag, variable or key configures the listener.',
      6: 'The token reaches no child, argument or log.',
    },
  },
  'SAI-21': {
    says: "The listener binds 127.0.0.1 at a URL made of the project's identity.",
    claim: 'whole',
    behaviours: {
      1: "The printed URL holds the digest of the project's identity.",
      2: 'The listener is on 127.0.0.1, whatever the operator host is.',
    },
  },
  'SAI-22': {
    says: 'Requests to the listener are checked in one order, before any work.',
    claim: 'whole',
    behaviours: {
      1: 'Host exactly once and no Origin: 403.',
      2: 'One bearer: 401 with WWW-Authenticate, before any byte of the body.',
      3: 'The exact path: 404.',
      4: 'POST: 405 with Allow.',
      5: 'No query string, no session: 400.',
      6: 'JSON: 400.',
      7: 'Both types accepted: 406.',
      8: 'At most 1 MiB, declared or counted: 413.',
      9: 'One JSON-RPC message: 400 with -32700 or -32600.',
      10: 'Revision 2025-11-25: 400.',
      11: 'No task: 400.',
      12: 'Hostile bytes find no 5xx, no hang and no work for a refused request.',
    },
  },
  'SAI-23': {
    says: "The listener answers stateless JSON with the project's binding, context and selected tools.",
    claim: 'partly',
    behaviours: {
      1: '`initialize` binds the connection to project, principal and mode.',
      2: 'The context is the one resource.',
      3: 'Exactly the selected operations are listed.',
      4: 'Calls answer the envelope, isError is its opposite of success.',
      5: 'Any other name is unknown, before any work.',
      6: 'ping answers, notifications get 202, any other method is unknown.',
    },
  },
  'SAI-24': { says: 'External-only refuses internal chat; both serves both.', claim: 'open' },
  'SAI-25': {
    says: 'A dropped connection cancels nothing; closing the application joins all admitted work.',
    claim: 'partly',
    behaviours: {
      1: 'A dropped connection leaves its call running, once.',
      2: 'Work at once is bounded.',
      3: 'The end of the application admits nothing more and joins what runs.',
    },
  },
  'SAI-26': {
    says: 'Navigation answers intents; restart needs the operator; images are local to the call.',
    claim: 'open',
  },
  'SAI-27': {
    says: 'Settled external calls leave receipts without bodies.',
    claim: 'whole',
    behaviours: {
      1: 'Settled calls are listed with outcome and times, without bodies.',
      2: 'They are paged, the last settled first.',
      3: 'They outlive restarts and kill -9; a call cut by it is uncertain.',
    },
  },
  'SAI-28': {
    says: 'The documented client example works unchanged, as do the v2 client and the Inspector.',
    claim: 'whole',
    behaviours: {
      1: 'The documented client example, unchanged.',
      2: 'The v2 client.',
      3: "The Inspector's CLI.",
    },
  },
  'SAI-30': {
    says: 'Connections are defined in YAML or by agents, never merged, never leaking secrets.',
    claim: 'partly',
    behaviours: {
      1: 'The child of a YAML definition gets a small base and its own environment, never a secret of Saivage.',
      2: 'Its folder and its one root are the project.',
      3: 'No definition may name a token of Saivage.',
    },
  },
  'SAI-31': { says: 'One owner is one state machine in one table.', claim: 'open' },
  'SAI-32': {
    says: 'A start has one budget over every phase and names the phase it reached.',
    claim: 'partly',
    behaviours: {
      1: 'One budget covers process, handshake and every page.',
      2: 'Each of many starts has its own, and can be given up, contained.',
      3: 'A failed start names its phase and its reason.',
      4: 'The end of stderr is kept during the start, redacted, where no serialiser finds it.',
      5: 'Over HTTP no HEAD is sent and no roots are offered.',
    },
  },
  'SAI-33': {
    says: 'Catalogs are complete or nothing, with identities that are rechecked at dispatch.',
    claim: 'partly',
    behaviours: {
      1: 'All pages, in order, with cursors byte for byte.',
      2: 'A refresh brings a whole new list or keeps the old one.',
      3: 'A tool of an earlier list is refused unsent, also from the queue.',
      4: 'Repeated and endless cursors, double names, too many tools and malformed pages are named failures.',
    },
  },
  'SAI-34': {
    says: 'Schemas are judged by their own dialect, tool by tool, with nothing loaded or changed.',
    claim: 'whole',
    behaviours: {
      1: '2020-12 without $schema, 2020-12 and draft-07 by name, nothing else.',
      2: 'Nothing is coerced, defaulted or rewritten, and unknown words mean nothing.',
      3: 'Nothing is loaded.',
      4: 'A foreign $id never meets another.',
      5: 'Hostile schemas cost bounded time and memory.',
      6: 'Diagnostics are bounded and never show the value.',
      7: 'Tools are judged one by one and shown as sent.',
    },
  },
  'SAI-35': {
    says: 'Calls have one deadline and settle once; a dead peer ends its call at once.',
    claim: 'partly',
    behaviours: {
      1: 'Over stdio one exchange at a time, in order.',
      2: 'A call that is cancelled in the queue is never sent.',
      3: 'An active timeout or cancel closes, contains and joins before it reports; the queue does not count.',
      4: 'A dead server ends its call at once, and others go on.',
      5: 'Requests of the server are answered, and progress is passed on.',
      6: 'Words of the server stay apart and are cut.',
      7: 'Over HTTP a call that is given up closes its own request only.',
      8: 'An answer that breaks off, belongs elsewhere or grows too large fails soon, as possibly done.',
    },
  },
  'SAI-36': {
    says: 'After a reported stop no process of that launch is alive.',
    claim: 'partly',
    behaviours: {
      1: 'A scope ends with nothing alive, however its processes hide.',
      2: 'Rounds of start and end leave processes and open files as they were.',
      3: 'SIGTERM reaches a server behind a wrapper, with its grace.',
      4: 'When the starter is killed, nothing it started lives on (at the level namespace).',
      5: 'Other processes are never touched.',
      6: 'What cannot be ended is named, and makes the end not contained.',
      7: 'A hostile MCP server leaves nothing once a command has ended or was interrupted in a call.',
    },
  },
  'SAI-37': {
    says: 'Frames up to 48 MiB pass; anything but JSON-RPC on stdout is one stated failure.',
    claim: 'whole',
    behaviours: {
      1: 'Anything else on stdout is one failure, soon, with its reason.',
      2: '48 MiB pass and not a byte more.',
      3: 'UTF-8 is never split.',
      4: 'The cost is linear.',
    },
  },
  'SAI-38': { says: 'Native results are validated whole, by one table of limits.', claim: 'open' },
  'SAI-39': { says: 'Every MCP operation is a grant by itself.', claim: 'open' },
  'SAI-40': { says: "The operator's REST starts, stops, restarts and calls.", claim: 'open' },
  'SAI-41': { says: 'A failed autostart blocks readiness and names the server.', claim: 'open' },
  'SAI-42': {
    says: 'Both protocol revisions outward, without a second process to probe.',
    claim: 'partly',
    behaviours: {
      1: '2025-11-25 first; 2026-07-28 where the server asks for it or is known to, in the same process.',
      2: 'An address of our own is refused before anything is sent.',
      3: 'A lost session is reported as lost and never replayed.',
    },
  },
  'SAI-43': { says: 'The pinned browser recipe works as written.', claim: 'open' },
  'SAI-44': { says: 'Restart is not atomic and never hides what happened.', claim: 'open' },
  'SAI-45': { says: 'A start that is already ready launches nothing.', claim: 'open' },
  'SAI-46': { says: 'MCP processes are out of reach of process tools.', claim: 'open' },
  'SAI-50': { says: 'The operator API is described by OpenAPI and has one shape of error.', claim: 'open' },
  'SAI-51': { says: 'The web page shows everything live and works by keyboard.', claim: 'open' },
};
