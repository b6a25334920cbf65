import { main } from '../dist/documents/extractor.js';

// The parsers may print: the answer is the last line.
process.stdout.write(`\n${JSON.stringify(await main(process.argv.slice(2)))}`);
