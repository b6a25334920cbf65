import type { Requirement } from '../requirements.ts';

export const saivage: Readonly<Record<string, Requirement>> = {
  'SAI-1': {
    says: 'The command line is strict: a wrong option fails with exit code 64 before anything is written.',
    claim: 'open',
  },
  'SAI-2': {
    says: '`.saivage/` has one layout; `init` writes it, commented, and never overwrites.',
    claim: 'open',
  },
  'SAI-3': {
    says: 'saivage.yaml is strict: every fault at once with line and column; a JSON Schema ships with it.',
    claim: 'open',
  },
  'SAI-4': {
    says: 'One server a project: the lock is taken over from a dead owner and never from a living one.',
    claim: 'open',
  },
  'SAI-5': {
    says: 'Without SAIVAGE_API_TOKEN the server stays on loopback and its sensitive routes answer 401.',
    claim: 'open',
  },
  'SAI-6': { says: '`run` works a goal to its end without a listener and exits 0, 1 or 2.', claim: 'open' },
  'SAI-7': { says: '`mcp import|list|tools|call` do from a shell what agents do.', claim: 'open' },
  'SAI-8': { says: '`reset` removes data and work and keeps what the operator wrote.', claim: 'open' },
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
  'SAI-16': { says: 'Every Analyst operation works, with one envelope for results.', claim: 'open' },
  'SAI-17': {
    says: 'File tools stay inside the project and out of `.saivage/`, but for `work/`.',
    claim: 'open',
  },
  'SAI-19': {
    says: 'Operator API and Analyst listener are two authorities that never open each other.',
    claim: 'open',
  },
  'SAI-20': {
    says: 'The Analyst listener is configured by flags and one secret variable alone, strictly.',
    claim: 'open',
  },
  'SAI-21': { says: "The listener binds 127.0.0.1 at a URL made of the project's identity.", claim: 'open' },
  'SAI-22': { says: 'Requests to the listener are checked in one order, before any work.', claim: 'open' },
  'SAI-23': {
    says: "The listener answers stateless JSON with the project's binding, context and selected tools.",
    claim: 'open',
  },
  'SAI-24': { says: 'External-only refuses internal chat; both serves both.', claim: 'open' },
  'SAI-25': {
    says: 'A dropped connection cancels nothing; closing the application joins all admitted work.',
    claim: 'open',
  },
  'SAI-26': {
    says: 'Navigation answers intents; restart needs the operator; images are local to the call.',
    claim: 'open',
  },
  'SAI-27': { says: 'Settled external calls leave receipts without bodies.', claim: 'open' },
  'SAI-28': {
    says: 'The documented client example works unchanged, as do the v2 client and the Inspector.',
    claim: 'open',
  },
  'SAI-30': {
    says: 'Connections are defined in YAML or by agents, never merged, never leaking secrets.',
    claim: 'open',
  },
  'SAI-31': { says: 'One owner is one state machine in one table.', claim: 'open' },
  'SAI-32': {
    says: 'A start has one budget over every phase and names the phase it reached.',
    claim: 'open',
  },
  'SAI-33': {
    says: 'Catalogs are complete or nothing, with identities that are rechecked at dispatch.',
    claim: 'open',
  },
  'SAI-34': {
    says: 'Schemas are judged by their own dialect, tool by tool, with nothing loaded or changed.',
    claim: 'open',
  },
  'SAI-35': {
    says: 'Calls have one deadline and settle once; a dead peer ends its call at once.',
    claim: 'open',
  },
  'SAI-36': { says: 'After a reported stop no process of that launch is alive.', claim: 'open' },
  'SAI-37': {
    says: 'Frames up to 48 MiB pass; anything but JSON-RPC on stdout is one stated failure.',
    claim: 'open',
  },
  'SAI-38': { says: 'Native results are validated whole, by one table of limits.', claim: 'open' },
  'SAI-39': { says: 'Every MCP operation is a grant by itself.', claim: 'open' },
  'SAI-40': { says: "The operator's REST starts, stops, restarts and calls.", claim: 'open' },
  'SAI-41': { says: 'A failed autostart blocks readiness and names the server.', claim: 'open' },
  'SAI-42': { says: 'Both protocol revisions outward, without a second process to probe.', claim: 'open' },
  'SAI-43': { says: 'The pinned browser recipe works as written.', claim: 'open' },
  'SAI-44': { says: 'Restart is not atomic and never hides what happened.', claim: 'open' },
  'SAI-45': { says: 'A start that is already ready launches nothing.', claim: 'open' },
  'SAI-46': { says: 'MCP processes are out of reach of process tools.', claim: 'open' },
  'SAI-50': { says: 'The operator API is described by OpenAPI and has one shape of error.', claim: 'open' },
  'SAI-51': { says: 'The web page shows everything live and works by keyboard.', claim: 'open' },
};
