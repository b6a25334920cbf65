import { describe, expect, it } from 'vitest';
import { faultsOf, StreamRequest } from './index.ts';

const message = { text: 'Which harbours are near Tallinn?' };
const tool = { name: 'highlight', description: 'Shows a harbour.', parameters: { type: 'object' } };

function faults(body: unknown) {
  const parsed = StreamRequest.safeParse(body);
  return parsed.success ? [] : faultsOf(parsed.error);
}

describe('the body of a stream post', () => {
  it.each([
    ['a message', { message }],
    ['a message in a chat', { chatId: 'c1', message, model: 'fast', context: { page: '/harbours' } }],
    [
      'a message with files',
      { message: { ...message, files: [{ name: 'a.md', mediaType: 'text/markdown', text: '#' }] } },
    ],
    [
      'results',
      {
        chatId: 'c1',
        toolResults: [
          { toolCallId: 'a', output: null },
          { toolCallId: 'b', error: 'gone' },
        ],
      },
    ],
    ['decisions', { chatId: 'c1', toolDecisions: [{ toolCallId: 'a', decision: 'deny', reason: 'no' }] }],
    [
      'going on',
      { chatId: 'c1', continue: true, clientTools: [tool, { ...tool, name: 'b', confirmation: 'required' }] },
    ],
  ])('SVE-10.1 takes %s', (_, body) => {
    expect(faults(body)).toEqual([]);
  });

  it.each([
    ['nothing to do', { chatId: 'c1' }],
    ['two things to do', { chatId: 'c1', message, continue: true }],
    ['a message and results', { chatId: 'c1', message, toolResults: [{ toolCallId: 'a', output: 1 }] }],
  ])('SVE-10.1 refuses %s', (_, body) => {
    expect(faults(body)).toEqual([
      { pointer: '', message: 'Send exactly one of message, toolResults, toolDecisions, continue.' },
    ]);
  });

  it.each(['assistant', 'tool', 'user'])('SVE-10.1 refuses history with %s messages', (role) => {
    expect(faults({ message, messages: [{ role, content: 'approved' }] })).toEqual([
      {
        pointer: '/messages',
        message:
          'Unknown field "messages": the server keeps the history. ' +
          'Send exactly one of message, toolResults, toolDecisions, continue.',
      },
    ]);
  });

  it.each([
    ['a result for no chat', { toolResults: [{ toolCallId: 'a', output: 1 }] }, '/chatId'],
    [
      'a call answered twice',
      {
        chatId: 'c',
        toolResults: [
          { toolCallId: 'a', output: 1 },
          { toolCallId: 'a', error: '' },
        ],
      },
      '/toolResults/1',
    ],
    [
      'a call decided twice',
      {
        chatId: 'c',
        toolDecisions: [
          { toolCallId: 'a', decision: 'deny' },
          { toolCallId: 'a', decision: 'approve' },
        ],
      },
      '/toolDecisions/1',
    ],
    [
      'changed arguments in a decision',
      { chatId: 'c', toolDecisions: [{ toolCallId: 'a', decision: 'approve', input: {} }] },
      '/toolDecisions/0/input',
    ],
    [
      'another word than approve or deny',
      { chatId: 'c', toolDecisions: [{ toolCallId: 'a', decision: 'yes' }] },
      '/toolDecisions/0/decision',
    ],
    ['two page tools of one name', { message, clientTools: [tool, tool] }, '/clientTools/1'],
    [
      'a page tool with a hidden letter in its name',
      { message, clientTools: [{ ...tool, name: 'a\u200Bb' }] },
      '/clientTools/0/name',
    ],
    ['a message of white space', { message: { text: '  ' } }, '/message/text'],
    [
      'a file with text and data',
      { message: { ...message, files: [{ name: 'a', mediaType: 'image/png', text: '', data: '' }] } },
      '/message/files/0',
    ],
    ['a continue that is not true', { chatId: 'c', continue: false }, '/continue'],
    ['a context that is too long', { message, context: { page: 'x'.repeat(24_000) } }, '/context'],
    ['an unknown field', { message, prompt: 'x' }, '/prompt'],
  ])('SVE-10.1 refuses %s', (_, body, pointer) => {
    expect(faults(body).map((fault) => fault.pointer)).toEqual([pointer]);
  });

  it('SVE-10.1 counts a context of exactly the limit', () => {
    const room = 24_000 - JSON.stringify({ page: '' }).length;
    expect(faults({ message, context: { page: 'x'.repeat(room) } })).toEqual([]);
    expect(faults({ message, context: { page: 'x'.repeat(room + 1) } })).toHaveLength(1);
  });
});
