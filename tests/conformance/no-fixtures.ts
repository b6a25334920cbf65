import { expectedFailures } from './expected-failures.ts';
import type { Failures } from './suite.ts';

/**
 * What fails at the doors of Mervare beside what no system of ours offers, by the reason. They serve the tools of Mervare and none of the suite's
 * own, so whatever the suite asks of its fixtures is run on the mount of fixtures instead. A door fails here for no other reason.
 */
const withoutFixtures: Failures = {
  'The tools that the suite calls by name do not exist: a door answers unknown tool.': [
    'tools-call-simple-text',
    'tools-call-image',
    'tools-call-audio',
    'tools-call-embedded-resource',
    'tools-call-mixed-content',
    'tools-call-error',
  ],
  'The tools that the suite looks for in the list do not exist, so that it calls these checks not testable.':
    [
      'server-stateless:sep-2575-http-server-no-independent-requests-on-stream',
      'server-stateless:sep-2575-server-no-log-without-loglevel',
    ],
  'Resources are not offered: everything is a tool.': [
    'resources-list',
    'resources-read-text',
    'resources-read-binary',
    'resources-templates-read',
    'sep-2164-resource-not-found',
    'caching:sep-2549-resources-list-caching-hints',
    'caching:sep-2549-resources-templates-list-caching-hints',
  ],
};

/** Everything that fails at a door. */
export const failuresAtDoors: Failures = { ...expectedFailures, ...withoutFixtures };
