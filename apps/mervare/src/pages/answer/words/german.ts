import type { Words } from './words.ts';

export const german: Words = {
  lang: 'de',
  skip: 'Zu den Fragen springen',
  length: (questions, required) => {
    const all = questions === 1 ? 'Eine Frage' : `${questions} Fragen`;
    if (required === 0) return `${all}. Lassen Sie aus, was Sie möchten.`;
    if (required === questions) return `${all}.`;
    return `${all}, davon ${required === 1 ? 'braucht eine' : `brauchen ${required}`} eine Antwort; die übrigen können Sie auslassen.`;
  },
  required: 'nötig',
  noAnswer: 'Keine Antwort',
  several: 'Wählen Sie alles aus, was zutrifft.',
  range: (min, max) => `Eine Zahl von ${min} bis ${max}.`,
  atLeast: (min) => `Eine Zahl, mindestens ${min}.`,
  atMost: (max) => `Eine Zahl, höchstens ${max}.`,
  characters: (most) => `Höchstens ${most} Zeichen.`,
  keep: 'Für später speichern',
  send: 'Antworten senden',
  once: 'Antworten lassen sich einmal senden. Bis dahin können Sie Ihren Stand speichern und über denselben Link wiederkommen.',
  privacy:
    'Ihre Antworten werden ohne Ihren Namen, Ihre Adresse und diesen Link gespeichert. Bei Ihrem Namen vermerken wir nur, dass Sie geantwortet haben.',
  kept: 'Gespeichert. Kommen Sie über denselben Link wieder, wann Sie möchten; bis Sie senden, kann es nur lesen, wer den Link hat.',
  error: 'Fehler',
  faulty: (questions) =>
    questions === 1 ? 'Eine Frage braucht noch einen Blick' : `${questions} Fragen brauchen noch einen Blick`,
  thanks: 'Vielen Dank',
  thanked: 'Ihre Antworten sind gesendet. Sie können diese Seite schließen.',
  preview: 'Vorschau: Sie sieht aus und prüft wie die echte Seite, speichert und sendet aber nichts.',
  previewThanks:
    'Hier wird den Befragten gedankt. Dies war eine Vorschau: Es wurde nichts gespeichert oder gesendet.',
  refusals: {
    unknown: {
      title: 'Dieser Link führt nirgendwohin',
      says: 'Zu ihm gehört keine Umfrage. Bitte prüfen Sie, ob er vollständig kopiert wurde.',
    },
    previewOver: {
      title: 'Diese Vorschau ist vorbei',
      says: 'Ihr Link ist abgelaufen oder wurde nicht vollständig kopiert. Bitten Sie um einen neuen.',
    },
    revoked: {
      title: 'Dieser Link wurde zurückgezogen',
      says: 'Wer ihn geschickt hat, hat ihn zurückgenommen; er nimmt keine Antworten an.',
    },
    expired: {
      title: 'Die Zeit zum Antworten ist vorbei',
      says: 'Dieser Link nimmt keine Antworten mehr an.',
    },
    closed: {
      title: 'Diese Umfrage ist geschlossen',
      says: 'Sie nimmt keine Antworten mehr an. Danke, dass Sie gekommen sind.',
    },
    answered: {
      title: 'Dieser Link wurde benutzt',
      says: 'Die Antworten dazu sind gesendet, und jeder Link gilt einmal. Vielen Dank.',
    },
    paused: {
      title: 'Diese Umfrage ruht gerade',
      says: 'Sie nimmt im Moment keine Antworten an. Bitte kommen Sie später über denselben Link wieder: Was Sie gespeichert haben, ist noch da.',
    },
  },
  missing: {
    single: 'Wählen Sie eine Antwort.',
    multiple: 'Wählen Sie mindestens eine Antwort.',
    scale: 'Wählen Sie eine Stufe der Skala.',
    number: 'Schreiben Sie eine Zahl.',
    text: 'Schreiben Sie eine Antwort.',
    date: 'Wählen Sie ein Datum.',
  },
  notOffered: 'Wählen Sie aus den angebotenen Antworten.',
  notWhole: 'Schreiben Sie eine ganze Zahl.',
  notNumber: 'Schreiben Sie sie nur in Ziffern, etwa 1250 oder 2,5, ohne Zeichen zwischen den Tausendern.',
  notDate: 'Schreiben Sie es als Jahr-Monat-Tag, etwa 2026-05-04.',
  tooLong: (most, now) => `Kürzen Sie es auf ${most} Zeichen; es hat ${now}.`,
  oddCharacter: 'Darin steht ein Zeichen, das sich nicht speichern lässt. Bitte schreiben Sie es neu.',
};
