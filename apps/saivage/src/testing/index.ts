/** A server of a project for tests, and requests to its Analyst listener, byte by byte. */
export { callOf, goodHeaders, goodRequest, withHeader, type Target } from './requests.ts';
export { analystToken, apiToken, openTestServer, type TestServer, type TestServerOptions } from './server.ts';
export { exchange, headBytes, open, readReply, type Parts, type Reply } from './wire.ts';
