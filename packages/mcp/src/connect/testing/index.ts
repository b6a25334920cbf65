/** Servers to test callers with: a puppet in this process, a scripted one on stdio, and one over HTTP. */
export { openPuppet, type Puppeteer, type Strings } from './puppet.ts';
export { listed, openLog, scripted, type Script } from './peer.ts';
export { json, serve, text, type Handler, type Posted } from './web.ts';
