import { refuse } from '../verdict.ts';
import type { HeadStep } from './head.ts';

/** A name that merely resolves to this machine is how a web page would reach it: only the address itself is taken. */
export const hostIsOurs: HeadStep = (head, { authorities }) => {
  const hosts = head.values('host');
  if (hosts.length === 1 && authorities.includes(hosts[0] ?? '')) return undefined;
  return refuse(403, `Host must be exactly ${authorities[0]}, once.`);
};

/** Only browsers send Origin, and no page has business here. */
export const noOrigin: HeadStep = (head) =>
  head.values('origin').length === 0 ? undefined : refuse(403, 'Requests with an Origin are refused.');
