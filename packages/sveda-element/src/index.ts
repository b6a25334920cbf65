/** `<sveda-chat>`: importing this defines the element, once. */
import { SvedaChat } from './chat-element.ts';

export { SvedaChat } from './chat-element.ts';
export { SvedaClient, SvedaToolRegistry } from '@sveda-ai/core';

if (!customElements.get('sveda-chat')) customElements.define('sveda-chat', SvedaChat);
