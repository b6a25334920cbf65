import type { App } from './app.ts';
import { mervare } from './mervare.ts';
import { saivage } from './saivage.ts';
import { sveda } from './sveda.ts';

/** Every system of the stack, in the order of starting; they are ended in the opposite one. */
export const apps: readonly App[] = [sveda, mervare, saivage];
