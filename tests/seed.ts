import * as fc from 'fast-check';

/** Everyday runs draw the same cases on the same tree, so that a verdict is of the change; runs at true time draw new ones. */
const SEED = 20_261_130;

if (process.env.PORTOLAN_TRUE_TIME !== '1') fc.configureGlobal({ seed: SEED });
