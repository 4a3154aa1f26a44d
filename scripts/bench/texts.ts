/** Titles, names and texts of a newsroom's materials: the same in every run, in Latin and Cyrillic script. */

/** Pseudo-random numbers from 0 up to 1, the same in every run (mulberry32). */
export function numbersFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const starts = [
  'A weekend by',
  'What we know about',
  'The slow return of',
  'Выходные в городе',
  'Как изменится',
  'Инструкция:',
]
const subjects = [
  'the harbour',
  'night trains',
  'small museums',
  'Ålesund in winter',
  'Überlandbahnen',
  'весенняя ярмарка',
  'набережная',
  'городские автобусы',
  'ёлочный базар',
  'библиотека на окраине',
]
const words =
  'harbour market train museum winter morning ticket keeper bridge station река мост утро билет вокзал музей набережная редакция город весна'.split(
    ' ',
  )

export const tags = ['city', 'travel', 'culture', 'спорт', 'интервью', 'longread']
export const editors = ['anna@desk.example', 'boris@desk.example', 'Вера@desk.example', 'editor+night@desk.example']

/** Picks an item of a list. */
export const oneOf = <Value>(values: readonly [Value, ...Value[]] | readonly Value[], next: () => number): Value =>
  values[Math.floor(next() * values.length)] as Value

/** A unique title: it ends with its number. */
export const titleOf = (number: number, next: () => number): string =>
  `${oneOf(starts, next)} ${oneOf(subjects, next)} № ${number}`

export const pageText = (next: () => number): string => Array.from({ length: 120 }, () => oneOf(words, next)).join(' ')
