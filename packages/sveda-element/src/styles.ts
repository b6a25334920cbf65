import { css } from 'lit';

/** Look of the element. Pages restyle it by the custom properties and by its parts. */
export const styles = css`
  :host {
    --sveda-accent: #0b5cad;
    --sveda-on-accent: #fff;
    --sveda-surface: #fff;
    --sveda-raised: #f1f4f8;
    --sveda-text: #16202c;
    --sveda-quiet: #51606f;
    --sveda-line: #c9d2dc;
    --sveda-danger: #a3261b;
    --sveda-radius: 10px;
    display: flex;
    flex-direction: column;
    min-height: 20rem;
    color: var(--sveda-text);
    background: var(--sveda-surface);
    border: 1px solid var(--sveda-line);
    border-radius: var(--sveda-radius);
    font:
      0.95rem/1.5 system-ui,
      sans-serif;
    overflow: hidden;
  }
  @media (prefers-color-scheme: dark) {
    :host {
      --sveda-accent: #7cb7f5;
      --sveda-on-accent: #0b1622;
      --sveda-surface: #131b24;
      --sveda-raised: #1e2935;
      --sveda-text: #e8eef4;
      --sveda-quiet: #a9b7c5;
      --sveda-line: #3a4857;
      --sveda-danger: #ff9d92;
    }
  }
  header,
  form {
    display: flex;
    gap: 0.5rem;
    align-items: center;
    padding: 0.6rem 0.8rem;
    background: var(--sveda-raised);
  }
  header h2 {
    flex: 1;
    margin: 0;
    font-size: 1rem;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .talk {
    flex: 1;
    overflow-y: auto;
  }
  ol {
    margin: 0;
    padding: 0.8rem;
    list-style: none;
    display: flex;
    flex-direction: column;
    gap: 0.8rem;
  }
  li.user {
    align-self: flex-end;
    max-width: 85%;
    padding: 0.4rem 0.8rem;
    background: var(--sveda-accent);
    color: var(--sveda-on-accent);
    border-radius: var(--sveda-radius);
    overflow-wrap: anywhere;
  }
  .said {
    white-space: pre-wrap;
  }
  li.assistant :is(ol, ul) {
    display: block;
    padding: 0 0 0 1.4rem;
    list-style: revert;
  }
  li.assistant {
    overflow-wrap: anywhere;
  }
  li.assistant p:first-child {
    margin-top: 0;
  }
  li.assistant p:last-child {
    margin-bottom: 0;
  }
  .name {
    position: absolute;
    width: 1px;
    height: 1px;
    overflow: hidden;
    clip-path: inset(50%);
  }
  .quiet {
    color: var(--sveda-quiet);
  }
  .card {
    margin: 0.4rem 0;
    padding: 0.4rem 0.7rem;
    border: 1px solid var(--sveda-line);
    border-radius: var(--sveda-radius);
    background: var(--sveda-raised);
  }
  .card.asks {
    border: 2px solid var(--sveda-accent);
  }
  .card code {
    font-weight: 600;
  }
  .card dl {
    display: grid;
    grid-template-columns: max-content 1fr;
    gap: 0.1rem 0.8rem;
    margin: 0.4rem 0;
  }
  .card dd {
    margin: 0;
    white-space: pre-wrap;
  }
  pre {
    overflow-x: auto;
  }
  textarea {
    flex: 1;
    resize: none;
    padding: 0.5rem 0.6rem;
    font: inherit;
    color: inherit;
    background: var(--sveda-surface);
    border: 1px solid var(--sveda-quiet);
    border-radius: calc(var(--sveda-radius) - 4px);
  }
  button {
    padding: 0.45rem 0.9rem;
    font: inherit;
    color: var(--sveda-on-accent);
    background: var(--sveda-accent);
    border: 1px solid var(--sveda-accent);
    border-radius: calc(var(--sveda-radius) - 4px);
    cursor: pointer;
  }
  button.plain {
    color: var(--sveda-text);
    background: transparent;
    border-color: var(--sveda-quiet);
  }
  button:disabled {
    opacity: 0.55;
    cursor: default;
  }
  :is(button, textarea, .talk):focus-visible {
    outline: 3px solid var(--sveda-accent);
    outline-offset: 2px;
  }
  [role='alert'] {
    margin: 0;
    padding: 0.5rem 0.8rem;
    color: var(--sveda-danger);
    display: flex;
    gap: 0.8rem;
    align-items: center;
  }
  a {
    color: var(--sveda-accent);
  }
`;
