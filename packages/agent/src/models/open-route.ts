import { readFileSync } from 'node:fs';
import type { Candidate, Route } from '../route.ts';
import type { CandidateConfig } from './config.ts';
import { demo } from './demo.ts';
import { httpCandidate } from './http.ts';
import { readScript } from './reply.ts';
import { scripted } from './scripted.ts';

/** Opens the models of a route. Throws an Error that names the place when a script is at fault. */
export function openRoute(candidates: readonly CandidateConfig[]): Route {
  return { candidates: candidates.map(openCandidate) };
}

function openCandidate(config: CandidateConfig): Candidate {
  switch (config.provider) {
    case 'demo':
      return demo();
    case 'scripted':
      return scripted(readScript(readFileSync(config.script, 'utf8'), config.script));
    default:
      return httpCandidate(config);
  }
}
