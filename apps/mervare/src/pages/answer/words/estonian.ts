import type { Words } from './words.ts';

export const estonian: Words = {
  lang: 'et',
  skip: 'Otse küsimuste juurde',
  length: (questions, required) => {
    const all = questions === 1 ? 'Üks küsimus' : `${questions} küsimust`;
    if (required === 0) return `${all}. Võite vastamata jätta, mida soovite.`;
    if (required === questions) return `${all}.`;
    return `${all}, millest ${required === 1 ? 'üks vajab' : `${required} vajavad`} vastust; teised võite soovi korral vahele jätta.`;
  },
  required: 'vajalik',
  noAnswer: 'Ei vasta',
  several: 'Valige kõik sobivad.',
  range: (min, max) => `Arv vahemikus ${min} kuni ${max}.`,
  atLeast: (min) => `Arv, vähemalt ${min}.`,
  atMost: (max) => `Arv, kõige rohkem ${max}.`,
  characters: (most) => `Kuni ${most} tähemärki.`,
  keep: 'Salvesta hilisemaks',
  send: 'Saada vastused',
  once: 'Vastused saab saata ühe korra. Seni võite tehtu salvestada ja sama lingi kaudu tagasi tulla.',
  privacy:
    'Teie vastused salvestatakse ilma teie nime, aadressi ja selle lingita. Teie nime juurde märgime ainult, et olete vastanud.',
  kept: 'Salvestatud. Tulge sama lingi kaudu tagasi, millal soovite; kuni saatmiseni saab seda lugeda ainult see, kellel on link.',
  error: 'Viga',
  faulty: (questions) =>
    questions === 1
      ? 'Üks küsimus vajab veel ülevaatamist'
      : `${questions} küsimust vajavad veel ülevaatamist`,
  thanks: 'Aitäh!',
  thanked: 'Teie vastused on saadetud. Võite selle lehe sulgeda.',
  preview: 'Eelvaade: leht näeb välja ja kontrollib vastuseid nagu päris, kuid ei salvesta ega saada midagi.',
  previewThanks: 'Siin tänatakse vastajaid. See oli eelvaade: midagi ei salvestatud ega saadetud.',
  refusals: {
    unknown: {
      title: 'See link ei vii kuhugi',
      says: 'Selle juurde ei kuulu ühtegi küsitlust. Palun kontrollige, kas link on tervenisti kopeeritud.',
    },
    previewOver: {
      title: 'See eelvaade on lõppenud',
      says: 'Link on aegunud või pole tervenisti kopeeritud. Küsige uus.',
    },
    revoked: {
      title: 'See link on tagasi võetud',
      says: 'Saatja on selle tagasi võtnud, seega vastuseid enam vastu ei võeta.',
    },
    expired: { title: 'Vastamise aeg on läbi', says: 'Selle lingi kaudu enam vastata ei saa.' },
    closed: { title: 'See küsitlus on suletud', says: 'Vastuseid enam vastu ei võeta. Aitäh, et tulite.' },
    answered: {
      title: 'See link on kasutatud',
      says: 'Selle kaudu on vastused juba saadetud; iga linki saab kasutada ühe korra. Aitäh!',
    },
    paused: {
      title: 'See küsitlus on peatatud',
      says: 'Praegu vastuseid vastu ei võeta. Palun tulge hiljem sama lingi kaudu tagasi: kõik salvestatu on alles.',
    },
  },
  missing: {
    single: 'Valige vastus.',
    multiple: 'Valige vähemalt üks vastus.',
    scale: 'Valige skaalal üks aste.',
    number: 'Kirjutage arv.',
    text: 'Kirjutage vastus.',
    date: 'Valige kuupäev.',
  },
  notOffered: 'Valige pakutud vastuste seast.',
  notWhole: 'Kirjutage täisarv.',
  notNumber: 'Kirjutage see ainult numbritega, näiteks 1250 või 2,5, ilma tuhandeid eraldava märgita.',
  notDate: 'Kirjutage see kujul aasta-kuu-päev, näiteks 2026-05-04.',
  tooLong: (most, now) => `Lühendage ${most} tähemärgini; praegu on neid ${now}.`,
  oddCharacter: 'Vastuses on märk, mida ei saa salvestada. Palun kirjutage see uuesti.',
};
