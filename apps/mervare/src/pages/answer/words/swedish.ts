import type { Words } from './words.ts';

export const swedish: Words = {
  lang: 'sv',
  skip: 'Till frågorna',
  length: (questions, required) => {
    const all = questions === 1 ? 'En fråga' : `${questions} frågor`;
    if (required === 0) return `${all}. Hoppa över vad du vill.`;
    if (required === questions) return `${all}.`;
    return `${all}, varav ${required === 1 ? 'en' : required} behöver svar; de andra kan du hoppa över.`;
  },
  required: 'behövs',
  noAnswer: 'Inget svar',
  several: 'Välj alla som stämmer.',
  range: (min, max) => `Ett tal från ${min} till ${max}.`,
  atLeast: (min) => `Ett tal, minst ${min}.`,
  atMost: (max) => `Ett tal, högst ${max}.`,
  characters: (most) => `Högst ${most} tecken.`,
  keep: 'Spara till senare',
  send: 'Skicka svaren',
  once: 'Svaren kan skickas en gång. Till dess kan du spara det du har och komma tillbaka med samma länk.',
  privacy:
    'Dina svar sparas utan ditt namn, din adress och den här länken. Vid ditt namn noterar vi bara att du har svarat.',
  kept: 'Sparat. Kom tillbaka med samma länk när du vill; tills du skickar det kan bara den som har länken läsa det.',
  error: 'Fel',
  faulty: (questions) =>
    questions === 1 ? 'En fråga behöver ses över' : `${questions} frågor behöver ses över`,
  thanks: 'Tack',
  thanked: 'Dina svar har skickats. Du kan stänga sidan.',
  preview: 'Förhandsvisning: sidan ser ut och kontrollerar som den riktiga, men sparar och skickar inget.',
  previewThanks:
    'Här tackas de som svarar. Det här var en förhandsvisning: inget har sparats eller skickats.',
  refusals: {
    unknown: {
      title: 'Den här länken leder ingenstans',
      says: 'Ingen enkät hör till den. Kontrollera att hela länken har kopierats.',
    },
    previewOver: {
      title: 'Förhandsvisningen är över',
      says: 'Länken har gått ut eller kopierades inte i sin helhet. Be om en ny.',
    },
    revoked: {
      title: 'Den här länken har dragits tillbaka',
      says: 'Avsändaren har tagit tillbaka den, så den tar inte emot några svar.',
    },
    expired: { title: 'Svarstiden är över', says: 'Den här länken tar inte längre emot svar.' },
    closed: {
      title: 'Enkäten är stängd',
      says: 'Den tar inte längre emot svar. Tack för att du kom.',
    },
    answered: {
      title: 'Den här länken är använd',
      says: 'Svaren har redan skickats, och varje länk gäller en gång. Tack.',
    },
    paused: {
      title: 'Enkäten är pausad',
      says: 'Den tar inte emot svar just nu. Kom tillbaka senare med samma länk: det du har sparat finns kvar.',
    },
  },
  missing: {
    single: 'Välj ett svar.',
    multiple: 'Välj minst ett svar.',
    scale: 'Välj ett steg på skalan.',
    number: 'Skriv ett tal.',
    text: 'Skriv ett svar.',
    date: 'Välj ett datum.',
  },
  notOffered: 'Välj bland svaren som erbjuds.',
  notWhole: 'Skriv ett heltal.',
  notNumber: 'Skriv det bara med siffror, till exempel 1250 eller 2,5, utan tecken mellan tusental.',
  notDate: 'Skriv det som år-månad-dag, till exempel 2026-05-04.',
  tooLong: (most, now) => `Korta det till ${most} tecken; det har ${now}.`,
  oddCharacter: 'Det innehåller ett tecken som inte kan sparas. Skriv det igen.',
};
