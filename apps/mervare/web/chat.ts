/** The chat on the harbour pages: the element, and the tools by which the agent points at the map and hands over a link. */
import { SvedaToolRegistry, type SvedaChat } from '@sveda-ai/element';
import { copyHarbourLink } from './link.ts';
import { highlightHarbour } from './highlight.ts';

const tools = new SvedaToolRegistry();
tools.register({
  name: 'highlight_harbour',
  description: 'Highlight a harbour on the map that the visitor sees. Takes its name.',
  parameters: {
    type: 'object',
    properties: { name: { type: 'string', description: 'Name of the harbour, for example Tallinn.' } },
    required: ['name'],
    additionalProperties: false,
  },
  handler: ({ name }) => highlightHarbour(String(name)),
});

tools.register({
  name: 'copy_harbour_link',
  description:
    'Copy the link of a harbour page to the clipboard of the visitor. Takes the name of the harbour.',
  parameters: {
    type: 'object',
    properties: { name: { type: 'string', description: 'Name of the harbour, for example Tallinn.' } },
    required: ['name'],
    additionalProperties: false,
  },
  // What a visitor has on the clipboard is theirs: overwriting it asks.
  confirmation: 'required',
  handler: ({ name }) => copyHarbourLink(String(name)),
});

const chat = document.querySelector<SvedaChat>('sveda-chat');
if (chat) chat.tools = tools;
