/** The database door for tests: a real database of its own for every test file, on one server a run. */
export { type TestDatabase, testDatabase, testStore, type TestStore, type Wanted } from './database.ts';
export { offerServer } from './server.ts';
