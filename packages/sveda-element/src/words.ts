/** What the element says. */
const en = {
  chat: 'Chat',
  message: 'Message',
  send: 'Send',
  stop: 'Stop',
  newChat: 'New chat',
  you: 'You',
  assistant: 'Assistant',
  thinking: 'Thinking …',
  approve: 'Approve',
  deny: 'Deny',
  asks: 'This needs your approval:',
  running: 'running',
  succeeded: 'done',
  failed: 'failed',
  refused: 'refused',
  denied: 'denied by you',
  cancelled: 'cancelled',
  uncertain: 'interrupted, the effect is unknown',
  stopped: 'Stopped.',
  limit: 'The step limit was reached.',
  goOn: 'Continue',
  retry: 'Try again',
  unreachable: 'The chat cannot be reached.',
};

export type Words = typeof en;

const et: Words = {
  chat: 'Vestlus',
  message: 'Sõnum',
  send: 'Saada',
  stop: 'Peata',
  newChat: 'Uus vestlus',
  you: 'Sina',
  assistant: 'Abiline',
  thinking: 'Mõtlen …',
  approve: 'Kinnita',
  deny: 'Keela',
  asks: 'See vajab sinu kinnitust:',
  running: 'töös',
  succeeded: 'tehtud',
  failed: 'ebaõnnestus',
  refused: 'keelduti',
  denied: 'sinu poolt keelatud',
  cancelled: 'katkestatud',
  uncertain: 'katkes, mõju on teadmata',
  stopped: 'Peatatud.',
  limit: 'Sammude piir sai täis.',
  goOn: 'Jätka',
  retry: 'Proovi uuesti',
  unreachable: 'Vestlusega ei saa ühendust.',
};

const ru: Words = {
  chat: 'Чат',
  message: 'Сообщение',
  send: 'Отправить',
  stop: 'Стоп',
  newChat: 'Новый чат',
  you: 'Вы',
  assistant: 'Помощник',
  thinking: 'Думаю …',
  approve: 'Разрешить',
  deny: 'Отклонить',
  asks: 'Требуется ваше согласие:',
  running: 'выполняется',
  succeeded: 'готово',
  failed: 'не удалось',
  refused: 'отказано',
  denied: 'отклонено вами',
  cancelled: 'отменено',
  uncertain: 'прервано, результат неизвестен',
  stopped: 'Остановлено.',
  limit: 'Достигнут предел шагов.',
  goOn: 'Продолжить',
  retry: 'Повторить',
  unreachable: 'Нет связи с чатом.',
};

const all: Readonly<Record<string, Words>> = { en, et, ru };

/** The words of a language tag (`et-EE`), English where it is not spoken. */
export function wordsFor(language: string): Words {
  return all[language.split('-')[0]?.toLowerCase() ?? ''] ?? en;
}
