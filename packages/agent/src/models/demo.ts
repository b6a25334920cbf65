import type { LanguageModelV3CallOptions } from '@ai-sdk/provider';
import { randomUUID } from 'node:crypto';
import type { Candidate } from '../route.ts';
import { chooseCall, type DemoTool } from './demo-choice.ts';
import { firstNames } from './demo-names.ts';
import { finishOf, lastMessage, partsOf, resultsAfter, type Speech } from './speech.ts';

const WHO = 'I am the demo model: no language model is configured, so I only match words.';

/** A model without a key: one call a message, chosen by the words of the question, then names from the result. */
export function demo(): Candidate {
  return {
    images: false,
    resultImages: false,
    redact: (text) => text,
    model: {
      provider: 'demo',
      modelId: 'words',
      doStream: async ({ prompt, tools }) => {
        const speech = answerTo(prompt, toolsOf(tools));
        return {
          stream: ReadableStream.from([...partsOf(speech, randomUUID), finishOf(speech, prompt)]),
        };
      },
    },
  };
}

/** What the demo model says: a call for a fresh question, words once its result is there. Pure. */
export function answerTo(prompt: LanguageModelV3CallOptions['prompt'], tools: readonly DemoTool[]): Speech {
  const question = lastMessage(prompt);
  const result = resultsAfter(prompt, question.at).at(-1);
  if (result) return { text: `${WHO} I called ${result.name}. ${report(result)}` };
  const call = chooseCall(question.text, tools);
  if (call) return { calls: [call] };
  return { text: `${WHO} None of my tools fits your words. ${inventory(tools)}` };
}

const EXCERPT = 300;

function report({ text, isError }: { text: string; isError: boolean }): string {
  if (isError) return `It answered with an error: ${text.slice(0, EXCERPT)}`;
  const names = firstNames(text);
  return names.length > 0 ? `It found: ${names.join(', ')}.` : `It answered: ${text.slice(0, EXCERPT)}`;
}

function inventory(tools: readonly DemoTool[]): string {
  const names = tools.slice(0, 8).map(({ name }) => name);
  return names.length > 0 ? `I have ${names.join(', ')}.` : 'I have no tools.';
}

function toolsOf(tools: LanguageModelV3CallOptions['tools']): DemoTool[] {
  return (tools ?? []).flatMap((tool) =>
    tool.type === 'function'
      ? [{ name: tool.name, description: tool.description ?? '', inputSchema: tool.inputSchema }]
      : [],
  );
}
