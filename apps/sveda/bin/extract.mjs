import { main } from '../dist/documents/extractor.js';

process.stdout.write(JSON.stringify(await main(process.argv.slice(2))));
