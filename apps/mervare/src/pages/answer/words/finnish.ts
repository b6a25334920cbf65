import type { Words } from './words.ts';

export const finnish: Words = {
  lang: 'fi',
  skip: 'Siirry kysymyksiin',
  length: (questions, required) => {
    const all = questions === 1 ? 'Yksi kysymys' : `${questions} kysymystä`;
    if (required === 0) return `${all}. Voit jättää väliin mitä haluat.`;
    if (required === questions) return `${all}.`;
    return `${all}, joista ${required === 1 ? 'yksi' : required} vaatii vastauksen; muut voit jättää väliin.`;
  },
  required: 'pakollinen',
  noAnswer: 'En vastaa',
  several: 'Valitse kaikki sopivat.',
  range: (min, max) => `Luku väliltä ${min}–${max}.`,
  atLeast: (min) => `Luku, vähintään ${min}.`,
  atMost: (max) => `Luku, enintään ${max}.`,
  characters: (most) => `Enintään ${most} merkkiä.`,
  keep: 'Tallenna myöhemmäksi',
  send: 'Lähetä vastaukset',
  once: 'Vastaukset voi lähettää kerran. Siihen asti voit tallentaa ne ja palata samasta linkistä.',
  privacy:
    'Vastauksesi tallennetaan ilman nimeäsi, osoitettasi ja tätä linkkiä. Nimesi kohdalle merkitään vain, että olet vastannut.',
  kept: 'Tallennettu. Palaa samasta linkistä milloin haluat; ennen lähettämistä vastauksesi voi lukea vain se, jolla on linkki.',
  error: 'Virhe',
  faulty: (questions) =>
    questions === 1
      ? 'Yksi kysymys kaipaa vielä tarkistusta'
      : `${questions} kysymystä kaipaa vielä tarkistusta`,
  thanks: 'Kiitos',
  thanked: 'Vastauksesi on lähetetty. Voit sulkea tämän sivun.',
  preview:
    'Esikatselu: sivu näyttää samalta ja tarkistaa vastaukset kuten oikea, mutta ei tallenna eikä lähetä mitään.',
  previewThanks: 'Tässä vastaajia kiitetään. Tämä oli esikatselu: mitään ei tallennettu eikä lähetetty.',
  refusals: {
    unknown: {
      title: 'Tämä linkki ei johda mihinkään',
      says: 'Siihen ei liity kyselyä. Tarkista, että linkki on kopioitu kokonaan.',
    },
    previewOver: {
      title: 'Tämä esikatselu on päättynyt',
      says: 'Sen linkki on vanhentunut tai kopioitu vain osittain. Pyydä uusi.',
    },
    revoked: {
      title: 'Tämä linkki on peruttu',
      says: 'Lähettäjä on perunut sen, joten sillä ei voi vastata.',
    },
    expired: { title: 'Vastausaika on päättynyt', says: 'Tällä linkillä ei voi enää vastata.' },
    closed: { title: 'Tämä kysely on suljettu', says: 'Siihen ei voi enää vastata. Kiitos käynnistä.' },
    answered: {
      title: 'Tämä linkki on käytetty',
      says: 'Sen vastaukset on lähetetty, ja kukin linkki kelpaa kerran. Kiitos.',
    },
    paused: {
      title: 'Tämä kysely on keskeytetty',
      says: 'Siihen ei voi juuri nyt vastata. Palaa myöhemmin samasta linkistä: tallentamasi vastaukset ovat tallessa.',
    },
  },
  missing: {
    single: 'Valitse vastaus.',
    multiple: 'Valitse vähintään yksi vastaus.',
    scale: 'Valitse asteikolta yksi kohta.',
    number: 'Kirjoita luku.',
    text: 'Kirjoita vastaus.',
    date: 'Valitse päivämäärä.',
  },
  notOffered: 'Valitse jokin tarjotuista vastauksista.',
  notWhole: 'Kirjoita kokonaisluku.',
  notNumber: 'Kirjoita se pelkin numeroin, esimerkiksi 1250 tai 2,5, ilman tuhaterotinta.',
  notDate: 'Kirjoita se muodossa vuosi-kuukausi-päivä, esimerkiksi 2026-05-04.',
  tooLong: (most, now) => `Lyhennä ${most} merkkiin; nyt niitä on ${now}.`,
  oddCharacter: 'Siinä on merkki, jota ei voi tallentaa. Kirjoita se uudelleen.',
};
