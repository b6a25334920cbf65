import type { Migration } from '@portolan/store';
import { createAgentMail, createAgents } from './agents/schema.ts';
import { createBuilder } from './builder/tables.ts';
import { createSecret } from './chat/secret.ts';
import { createFunding } from './funding/schema.ts';
import { loadSeaPorts } from './harbour/sea-ports.ts';
import { createHarbours, indexHarbours } from './harbour/tables.ts';
import { createIdempotentWrites } from './idempotency/tables.ts';
import { createLogbook } from './logbook/tables.ts';
import { createMail, withdrawLetters } from './mail/tables.ts';
import { createOauth, indexPending, rankPending } from './oauth/tables.ts';
import { addAuditCount, createPeople } from './people/tables.ts';
import { takeSecretsOut } from './secret/site-secret.ts';
import { createInvitations, mixAnswered } from './survey/invitation-tables.ts';
import { createSending } from './survey/sending-tables.ts';
import { createSurveys } from './survey/tables.ts';

/** Every step of the database, in order. A released step never changes. */
export const migrations: readonly Migration[] = [
  { name: '0001_harbours', up: createHarbours },
  { name: '0002_sea_ports', up: loadSeaPorts },
  { name: '0003_site_secret', up: createSecret },
  { name: '0010_people', up: createPeople },
  { name: '0020_oauth', up: createOauth },
  { name: '0029_idempotent_writes', up: createIdempotentWrites },
  { name: '0030_survey', up: createSurveys },
  { name: '0031_logbook', up: createLogbook },
  { name: '0032_builder', up: createBuilder },
  { name: '0033_agents', up: createAgents },
  { name: '0034_funding', up: createFunding },
  { name: '0035_secrets', up: takeSecretsOut },
  { name: '0036_pending', up: indexPending },
  { name: '0037_audit_count', up: addAuditCount },
  { name: '0040_mail', up: createMail },
  { name: '0041_invitations', up: createInvitations },
  { name: '0042_sending', up: createSending },
  { name: '0043_agent_mail', up: createAgentMail },
  { name: '0044_harbour_indexes', up: indexHarbours },
  { name: '0045_answered', up: mixAnswered },
  { name: '0046_withdrawn_letters', up: withdrawLetters },
  { name: '0047_pending_rank', up: rankPending },
];
