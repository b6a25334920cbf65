import type { AgentTables } from './agents/tables.ts';
import type { BuilderTables } from './builder/tables.ts';
import type { SecretTables } from './secret/site-secret.ts';
import type { FundingTables } from './funding/tables.ts';
import type { HarbourTables } from './harbour/tables.ts';
import type { InvitationTables } from './survey/invitation-tables.ts';
import type { SendingTables } from './survey/sending-tables.ts';
import type { SurveyTables } from './survey/tables.ts';
import type { OauthTables } from './oauth/tables.ts';
import type { IdempotencyTables } from './idempotency/tables.ts';
import type { LogbookTables } from './logbook/tables.ts';
import type { MailTables } from './mail/tables.ts';
import type { PeopleTables } from './people/tables.ts';

/** Every table that the site's own code reads and writes, each described in the folder that it belongs to. */
export interface SiteTables
  extends
    HarbourTables,
    SecretTables,
    PeopleTables,
    OauthTables,
    IdempotencyTables,
    LogbookTables,
    MailTables,
    FundingTables,
    BuilderTables,
    AgentTables,
    InvitationTables,
    SendingTables,
    SurveyTables {}
