/** One model turn after another: routes, the loop, tool sources, stop rules, scripted and demo models. */
export { closing, errorResult } from './call-states.ts';
export type { OutsideEvent, Progress, TokenUsage, TurnEvent } from './events.ts';
export { ModelFailure } from './failure.ts';
export type { Failure, FailureCode } from './failure.ts';
export { callsOf, openCalls } from './history.ts';
export type {
  Call,
  CallState,
  Entry,
  Outcome,
  ReasoningPart,
  StepEntry,
  StepPart,
  TextPart,
  UserEntry,
  UserPart,
} from './history.ts';
export { isKeepable, parseKeepable } from './letters.ts';
export { defaultLimits } from './limits.ts';
export type { Limits } from './limits.ts';
export { CandidateConfig } from './models/config.ts';
export { demo } from './models/demo.ts';
export { openRoute } from './models/open-route.ts';
export { readScript, Reply } from './models/reply.ts';
export type { Script } from './models/reply.ts';
export { scripted } from './models/scripted.ts';
export type { Candidate, Route, StreamingModel } from './route.ts';
export type { Turn } from './run.ts';
export type { StopRule, TurnSoFar } from './stop-rules.ts';
export type { CallContext, OfferedTool, ToolSource, Validate } from './tools.ts';
export { openTranscript } from './transcript.ts';
export type { Transcript } from './transcript.ts';
export { runTurn } from './turn.ts';
