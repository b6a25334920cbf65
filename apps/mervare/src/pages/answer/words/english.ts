import type { Words } from './words.ts';

export const english: Words = {
  lang: 'en',
  skip: 'Skip to the questions',
  length: (questions, required) => {
    const all = questions === 1 ? 'One question' : `${questions} questions`;
    if (required === 0) return `${all}. Leave out what you like.`;
    if (required === questions) return `${all}.`;
    return `${all}. ${required === 1 ? 'One needs' : `${required} need`} an answer; leave out the others if you like.`;
  },
  required: 'needed',
  noAnswer: 'No answer',
  several: 'Choose all that apply.',
  range: (min, max) => `A number from ${min} to ${max}.`,
  atLeast: (min) => `A number, ${min} or more.`,
  atMost: (max) => `A number, ${max} at most.`,
  characters: (most) => `At most ${most} characters.`,
  keep: 'Keep for later',
  send: 'Send answers',
  once: 'Answers can be sent once. Until then you can keep what you have and come back by the same link.',
  privacy:
    'Your answers are stored without your name, your address or this link. Beside your name we only note that you answered.',
  kept: 'Kept. Come back by the same link whenever you like; until you send it, only who has the link can read it.',
  error: 'Error',
  faulty: (questions) =>
    questions === 1 ? 'One question needs another look' : `${questions} questions need another look`,
  thanks: 'Thank you',
  thanked: 'Your answers have been sent. You can close this page.',
  preview: 'Preview: it looks and checks like the real page, and keeps and sends nothing.',
  previewThanks: 'Here respondents are thanked. This was a preview: nothing was kept or sent.',
  refusals: {
    unknown: {
      title: 'This link leads nowhere',
      says: 'No survey belongs to it. Please check that it was copied whole.',
    },
    previewOver: {
      title: 'This preview is over',
      says: 'Its link has expired or was not copied whole. Ask for a new one.',
    },
    revoked: {
      title: 'This link was withdrawn',
      says: 'Those who sent it have taken it back, so it takes no answers.',
    },
    expired: { title: 'The time to answer is over', says: 'This link takes no answers any more.' },
    closed: { title: 'This survey is closed', says: 'It takes no answers any more. Thank you for coming.' },
    answered: {
      title: 'This link was used',
      says: 'The answers given by it have been sent, and each link takes one set. Thank you.',
    },
    paused: {
      title: 'This survey is paused',
      says: 'It takes no answers at the moment. Please come back later by the same link: whatever you have kept is still there.',
    },
  },
  missing: {
    single: 'Choose an answer.',
    multiple: 'Choose at least one answer.',
    scale: 'Choose a step of the scale.',
    number: 'Write a number.',
    text: 'Write an answer.',
    date: 'Choose a date.',
  },
  notOffered: 'Choose from the answers that are offered.',
  notWhole: 'Write a whole number.',
  notNumber: 'Write it in digits alone, such as 1250 or 2.5, without a mark between thousands.',
  notDate: 'Write it as year-month-day, such as 2026-05-04.',
  tooLong: (most, now) => `Shorten it to ${most} characters; it has ${now}.`,
  oddCharacter: 'It holds a character that cannot be stored. Please write it again.',
};
