import type { ToolResultPost } from '@sveda-ai/protocol/events';
import type { HandlerResult, SvedaToolRegistry } from './registry.ts';
import { runnable, type SessionState } from './state.ts';

/** Runs the calls of the page as they come, each once, and hands out their results to be posted once. */
export function pageCalls(tools: SvedaToolRegistry, onReady: () => void) {
  const running = new Set<string>();
  const results = new Map<string, HandlerResult>();

  async function run(state: SessionState, toolCallId: string): Promise<void> {
    const call = runnable(state).find((one) => one.toolCallId === toolCallId);
    if (!call || state.chatId === undefined) return;
    const result = await tools.run(call.toolName, call.input, { chatId: state.chatId, toolCallId });
    running.delete(toolCallId);
    results.set(toolCallId, result);
    if (running.size === 0) onReady();
  }

  return {
    /** Starts what may run now and does not run yet. */
    start(state: SessionState): void {
      for (const { toolCallId } of runnable(state)) {
        if (running.has(toolCallId) || results.has(toolCallId)) continue;
        running.add(toolCallId);
        void run(state, toolCallId);
      }
    },
    /** After a segment: what finished while it streamed is ready now. */
    settle(state: SessionState): void {
      if (running.size === 0 && runnable(state).some(({ toolCallId }) => results.has(toolCallId))) onReady();
    },
    /** The results of calls that are still open. The server takes each once; a second post of one is refused. */
    take(state: SessionState): ToolResultPost[] {
      if (running.size > 0 || state.status === 'streaming') return [];
      return runnable(state).flatMap(({ toolCallId }) => {
        const result = results.get(toolCallId);
        return result ? [{ toolCallId, ...result }] : [];
      });
    },
  };
}
