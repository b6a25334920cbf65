import type { Requirement } from '../requirements.ts';

export const sveda: Readonly<Record<string, Requirement>> = {
  'SVE-1': {
    says: 'The mint validates everything and names each fault.',
    claim: 'whole',
    behaviours: {
      1: 'The body: every rule with its own message and pointer, the pair rule first.',
      2: 'The server answers token, visitor and lifetime; a visitor without id gets a UUID.',
      3: 'The server refuses with 422 and the sentence of the rule, and takes the neighbour.',
      4: 'Every fault of a body is told by JSON pointer.',
      5: 'It listens on 127.0.0.1:8787 unless told otherwise.',
    },
  },
  'SVE-2': {
    says: 'Host credentials are sealed, bound to the token, refused without a host key.',
    claim: 'whole',
    behaviours: {
      1: 'Without a host key only programs on this machine mint, and never with a pair.',
      2: 'Credentials are sealed, one row a token, and never logged.',
      3: 'They open only for the token that they came with.',
      4: 'They are forgotten with the lifetime of their token.',
      5: 'Beyond this machine it listens only with a host key.',
      6: 'A second session of a visitor calls with its own credentials, and so does the first.',
    },
  },
  'SVE-3': {
    says: 'Tokens are signed, rotate, expire and can be revoked.',
    claim: 'whole',
    behaviours: {
      1: 'A token holds until it is revoked; changed, or in a URL, it is nothing.',
      2: 'It expires to the second.',
      3: 'Keys rotate: the first signs, all of them read; any changed letter is refused.',
      4: 'A lifetime of an hour, or as asked, of a minute at least.',
      5: 'No key is built in: one is made, or demanded where nodes share a database.',
    },
  },
  'SVE-4': {
    says: 'Minting is limited and every refusal has a body.',
    claim: 'whole',
    behaviours: {
      1: 'A wrong or missing key is refused with a body that says so.',
      2: 'Mints are limited by key and address, with Retry-After.',
      3: 'Every refusal has a JSON body.',
    },
  },
  'SVE-10': {
    says: 'The stored history is the only truth of a stream request.',
    claim: 'whole',
    behaviours: {
      1: 'The body: exactly one purpose, no history, no arguments in a decision.',
      2: 'What was streamed is read again, equal.',
      3: 'History from a browser is refused, and chats of others do not exist.',
    },
  },
  'SVE-11': {
    says: 'Stream events follow one grammar.',
    claim: 'whole',
    behaviours: {
      1: 'One strict, documented schema per event.',
      2: 'A state machine refuses every other order.',
      3: 'The head of a stream names its version, forbids buffering, and goes out before the first token.',
      4: 'Comments keep a silent stream open.',
    },
  },
  'SVE-12': {
    says: 'A cut stream resumes without loss or repeat.',
    claim: 'whole',
    behaviours: {
      1: 'After random cuts it goes on from any node: nothing lost, nothing doubled.',
      2: 'A write waits for nobody who looks at a turn, and no event of it is lost by that.',
    },
  },
  'SVE-13': {
    says: 'Turns survive closed tabs, stop cleanly, and are serialised.',
    claim: 'whole',
    behaviours: {
      1: 'Stopping a turn aborts the model call at its socket.',
      2: 'Turns of a chat are serialised, and a running one can be stopped.',
      3: 'Whatever happens in whatever order, what a reader sees equals what is stored.',
      4: 'A stop cancels the running host call and closes its request within a second; what waited is never sent.',
      5: 'A closed tab stops nothing; a stop reaches a turn on another node.',
    },
  },
  'SVE-14': {
    says: "Free calls of a step run at once, in the model's order of history.",
    claim: 'whole',
    behaviours: {
      1: 'The loop runs free calls at once, whatever the others wait for.',
      2: 'Each unknown, invalid, refused or failed call gives the model an error result.',
      3: "Order in history is the model's.",
      4: 'The step limit ends with max_steps and can be continued.',
      5: 'Arguments are validated before anything runs or is asked.',
      6: 'The server ends a turn after thirty steps and goes on when it is continued.',
      7: 'The server runs the free calls of a step at once, whatever the others wait for.',
    },
  },
  'SVE-15': {
    says: 'Context and tool text are untrusted data.',
    claim: 'whole',
    behaviours: {
      1: 'Results, the context of the page and how a host describes itself reach the model as one marked, bounded block each; the host gets the context with each call.',
      2: 'The context is bounded at the door.',
      3: 'What a server says of a failure is told, and little of it.',
    },
  },
  'SVE-20': {
    says: 'Builtin tools exist only where their ground does.',
    claim: 'whole',
    behaviours: {
      1: 'Code tools are there with a workspace alone; they find passages by keywords and read them.',
      2: 'Ignore files are honoured, and no path leaves the root.',
      3: 'Web tools are there where the operator attached them, the search where one is configured.',
      4: 'Only public addresses are reached, and every redirect is checked.',
      5: 'A page is read as text, bounded while reading, at a cost that grows with its length alone.',
      6: 'A search asks the endpoint of the configuration.',
      7: 'Up to six labelled tasks, four at once, with live progress, and with a host alone.',
      8: 'Each task goes by the catalogue; one that needs confirmation is refused with a reason.',
    },
  },
  'SVE-21': {
    says: "The host's MCP server is called with the visitor's bearer.",
    claim: 'whole',
    behaviours: {
      1: "initialize, tools/list and tools/call carry the visitor's bearer; results come whole.",
      2: 'A host that cannot be reached costs its tools; the model and the operator are told.',
      3: 'All pages of the list, read once for as long as the turn runs.',
      4: '2025-11-25 first; 2026-07-28 where the host asks for it, and by a dated verdict then.',
      5: 'A list that fails is told to visitor, model and operator; a tool that cannot be used costs itself.',
      6: 'Text, structured content, images and resource links are kept, within limits.',
    },
  },
  'SVE-22': {
    says: "Runtime MCP servers are shared and never get a visitor's credential.",
    claim: 'whole',
    behaviours: {
      1: 'One connection for all visitors, opened when first needed, with headers of the configuration and nothing of a visitor.',
      2: 'A dead one costs its own tools, and is told.',
      3: 'Confirmation and policy hold as for the host.',
      4: 'Lists are read again, failed starts rest, lost connections are made anew, and nothing is called twice.',
      5: 'Headers take variables of the environment, and no secret of this program.',
    },
  },
  'SVE-23': {
    says: 'Frontend tools run in the page, once.',
    claim: 'whole',
    behaviours: {
      1: 'The loop asks no source for a page call, it waits for its result.',
      2: 'The server takes the result of an open page call once.',
      3: 'A new message closes an open page call as cancelled.',
      4: 'Nine calls, each post sent twice at once: nine results, and one further step.',
    },
  },
  'SVE-24': {
    says: 'One catalogue owns names, policy, confirmation and dispatch.',
    claim: 'whole',
    behaviours: {
      1: 'Names go to builtin, host, runtime, page in this order; a runtime clash is renamed, others are refused with a diagnostic.',
      2: 'A name that providers do not take gets an alias that is stable, reversible and never shared.',
      3: 'Tools and what is said of them are bounded.',
      4: 'No task, decision or later segment goes round it.',
      5: 'A name that cannot be read whole is not offered.',
    },
  },
  'SVE-25': {
    says: 'A confirmed call runs once, with the stored arguments, after a decision.',
    claim: 'whole',
    behaviours: {
      1: 'In the client a confirmed handler runs only after its decision came back on the stream.',
      2: 'The server takes nothing for a confirmed page call before its decision.',
      3: 'A denial reaches the model as one, and nothing runs.',
      4: 'A confirmed host call runs once, after its decision, with the stored arguments.',
      5: 'In whatever order decisions, stops and deaths of nodes come, nothing undecided runs and nothing runs twice.',
      6: 'A decision counts for a day; later it runs nothing and blocks nothing.',
      7: 'Of several decisions that come together one is taken.',
    },
  },
  'SVE-26': {
    says: 'Policies only narrow, and are evaluated again at execution.',
    claim: 'whole',
    behaviours: {
      1: 'Every source by policy and grants, in one literal table.',
      2: 'Policies are asked again before a decided call is sent.',
      3: 'They are asked again at execution.',
      4: 'They can add a confirmation and take none away.',
      5: 'A policy that is gone is 403.',
      6: 'A page is told what its token may do.',
    },
  },
  'SVE-27': {
    says: 'The host package mints, revokes and narrows.',
    claim: 'whole',
    behaviours: {
      1: 'The host package mints with the host key and revokes.',
      2: 'It tells refusals by their code.',
      3: 'A host lists fewer tools for a visitor and never more.',
      4: 'The chats of Mervare use it.',
    },
  },
  'SVE-30': {
    says: 'Chats, documents, messages, health and admin routes.',
    claim: 'whole',
    behaviours: {
      1: 'Text of documents, read in a process of its own.',
      2: 'A message answered in one piece.',
      3: 'Admin: usage, tools of a turn, reload; absent without a key.',
      4: 'The OpenAPI document holds every route, with its credential; health and readiness among them.',
      5: 'Chats are listed in pages, read, renamed, erased one or all.',
    },
  },
  'SVE-31': {
    says: 'Exact origins, body limits, throttles.',
    claim: 'whole',
    behaviours: {
      1: 'Exact origins, refusals included; a preflight allows what the client sends.',
      2: 'Body limits by route.',
      3: 'Budgets by visitor, address and node, with Retry-After.',
      4: 'What is open at once is bounded, and freed with its end.',
    },
  },
  'SVE-32': {
    says: 'sveda.yaml is strict and reloads atomically.',
    claim: 'whole',
    behaviours: {
      1: 'Strict: every fault of the file at once.',
      2: 'A reload, by signal or by route, is whole or keeps the old one and says why.',
      3: 'A check tries every model and every shared MCP server.',
    },
  },
  'SVE-33': {
    says: 'Models with failover, scripted and demo.',
    claim: 'whole',
    behaviours: {
      1: 'Responses, Chat Completions, compatible servers and Anthropic on the wire.',
      2: 'Failover before first output only; waits and tries are bounded.',
      3: 'Scripted: strict, and running out is an error.',
      4: 'Demo: a tool by the words of the question, real names from its result, and it says what it is.',
    },
  },
  'SVE-34': {
    says: 'Several nodes on one database; a killed node loses nothing.',
    claim: 'whole',
    behaviours: {
      1: 'A killed node has kept all that was seen; its turn is told as interrupted and goes on elsewhere.',
      2: 'Whenever a node dies, no call runs twice.',
      3: 'A node that lost a turn writes nothing of it, and loses nothing else by that.',
      4: 'Of three nodes one is killed while a call runs: another tells it as uncertain and goes on.',
      5: 'A node renews the leases of all its turns at once, lets go of one that was taken, and hears a stop.',
      6: 'A node that could say nothing for a whole lease gives all its turns up.',
    },
  },
  'SVE-40': {
    says: "The client's documented example works unchanged.",
    claim: 'partly',
    behaviours: {
      1: 'Tools are read at each post.',
      2: 'A token is renewed once on 401, without losing the message.',
      3: 'The client of the documents speaks with the real server, page tool and host call included.',
    },
  },
  'SVE-41': {
    says: 'Sessions, decisions and histories in the client.',
    claim: 'partly',
    behaviours: {
      1: 'Messages are one reduction of the events.',
      2: 'Throws, undefined and what JSON cannot hold become results.',
      3: 'A cut stream is joined again by the last event seen.',
      4: 'Retries are few and obey Retry-After; then the user may retry.',
      5: 'A message that may have arrived is not posted again.',
    },
  },
  'SVE-42': {
    says: 'The client is small; the element is accessible.',
    claim: 'partly',
    behaviours: {
      1: 'Answers are sanitised Markdown without remote loads.',
      2: 'A confirmed page tool is asked for by keyboard and runs once.',
      3: 'Errors are stated and can be retried.',
      4: 'The client compresses to 12 KB at most, the element with it to 45 KB.',
    },
  },
  'SVE-43': {
    says: 'The script-tag widget keeps the token out of URLs and storage.',
    claim: 'partly',
    behaviours: {
      1: 'The token stays out of URLs and storage.',
    },
  },
  'SVE-44': {
    says: 'All of it works in a real browser.',
    claim: 'partly',
    behaviours: {
      1: 'A visitor asks on a harbour page and reads what Mervare found.',
      2: 'A page tool changes the page.',
      3: 'A confirmed page tool is approved by keyboard and happens once.',
      4: 'A reload finds the same talk.',
    },
  },
};
