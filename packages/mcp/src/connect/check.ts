import { faultOf, isFault, validate, type SchemaFault, type Verdict } from '../schema.ts';
import { isDeeperThan } from './depth.ts';
import { ConnectionFailure } from './errors.ts';
import { LIMITS } from './limits.ts';
import { visibleFault, type CatalogTool } from './tool.ts';

/** Throws unless both schemas of the tool can be used and the arguments fit. Nothing has gone out then. */
export function requireFit(tool: CatalogTool, args: unknown): void {
  const { input, output } = tool;
  const fault = visibleFault(tool) ?? (output && !isFault(output) ? faultOf(output) : undefined);
  if (fault || isFault(input)) throw unusable(fault);
  const verdict: Verdict = isDeeperThan(LIMITS.depth, args)
    ? { kind: 'invalid', rows: [`the value is nested more than ${LIMITS.depth} levels deep`] }
    : validate(input, args);
  if (verdict.kind === 'unusable') throw unusable(verdict.fault);
  if (verdict.kind === 'invalid')
    throw new ConnectionFailure('arguments_invalid', { rows: verdict.rows, effects: 'none' });
}

/** Throws unless a successful result fits the schema that the tool declares for it. The tool has done its work then. */
export function requireResult({ output }: CatalogTool, result: Readonly<Record<string, unknown>>): void {
  if (!output || isFault(output) || result.isError === true) return;
  const verdict: Verdict =
    result.structuredContent === undefined
      ? { kind: 'invalid', rows: ['there is no structured content'] }
      : validate(output, result.structuredContent);
  if (verdict.kind === 'valid') return;
  const rows = verdict.kind === 'invalid' ? verdict.rows : [verdict.fault.says];
  throw new ConnectionFailure('result_invalid', { rows });
}

function unusable(fault: SchemaFault | undefined): ConnectionFailure {
  return new ConnectionFailure('tool_unusable', {
    effects: 'none',
    rows: fault ? [fault.says] : [],
    ...(fault && { reason: fault.code }),
  });
}
