/**
 * What a word is and when two words are the same, for every search: in the window and on published sites. Works without
 * dictionaries, so that each computer and browser finds the same.
 */

const ignored = String.raw`\u00AD\u200B-\u200D\u2060\uFEFF`
const word = new RegExp(String.raw`[\p{L}\p{N}][\p{L}\p{N}\p{M}${ignored}]*`, 'gu')
/** A letter or digit with its marks, among them those of half-width kana, which Unicode lists as letters. */
const letter = new RegExp(String.raw`[\p{L}\p{N}][\p{M}\uFF9E\uFF9F${ignored}]*`, 'gu')
const ignoredChars = new RegExp(`[${ignored}]`, 'g')

/** Letters that Unicode does not take apart, as people type them without the letter on their keyboard. */
const typedAs: Readonly<Record<string, string>> = {
  ß: 'ss',
  ı: 'i',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ħ: 'h',
  ـ: '',
}
const typedDifferently = new RegExp(`[${Object.keys(typedAs).join('')}]`, 'g')

/**
 * Marks that people leave out: accents of Latin and Greek, the dots of ё and stress in Cyrillic, vowel points of Hebrew and
 * Arabic. Those of й, ї and ў, of kana, Thai and Indic scripts make other letters.
 */
const leftOut = /([иу]\u0306|і\u0308)|[\u0300-\u036F\u0591-\u05C7\u0610-\u061A\u064B-\u065F\u0670\u06D6-\u06ED]/g

/** Scripts that write several words without a space between them, where readers look for a word inside of others. */
const joined = String.raw`\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Bopo}\p{scx=Hang}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}\p{scx=Tibt}\p{scx=Arab}\p{scx=Hebr}`
const hasJoined = new RegExp(`[${joined}]`, 'u')
const run = new RegExp(`(?<joined>[${joined}]+)|[^${joined}]+`, 'gu')

/** A text as it is compared: in lower case, without what people leave out. */
export const folded = (text: string): string =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replace(ignoredChars, '')
    .replace(leftOut, (_, letter: string | undefined) => letter ?? '')
    .replace(typedDifferently, (char) => typedAs[char] ?? char)
    .normalize('NFC')

/** A folded word, or the part of one that is in scripts of one kind. */
interface Run {
  readonly text: string
  /** Whether it is found inside of a word, not only at its beginning. */
  readonly isJoined: boolean
}

/** With the position of each in the folded text, which may be several words: `½` is folded to `1⁄2`. */
const runsOf = (foldedText: string): readonly (Run & { readonly at: number })[] =>
  [...foldedText.matchAll(word)].flatMap((found) =>
    [...found[0].matchAll(run)].map((part) => ({
      text: part[0],
      isJoined: part.groups?.['joined'] !== undefined,
      at: found.index + part.index,
    })),
  )

/** Letters in a token of a script without spaces: as many as most words have. */
const tokenLetters = 3

/** The next letters from each letter on, so that every letter begins a token. */
function piecesOf(text: string): readonly string[] {
  const letters = text.match(letter) ?? []
  return letters.map((_, at) => letters.slice(at, at + tokenLetters).join(''))
}

/** The folded words of a text, in one string, as that is faster than one by one. No word is folded to a line feed. */
const foldedTogether = (words: readonly string[]): string => folded(words.join('\n'))

/** The tokens of a text for an index. They contain letters, digits and marks only. */
export function tokensOf(text: string): readonly string[] {
  const words = foldedTogether(text.normalize('NFC').match(word) ?? []).match(word) ?? []
  return words.flatMap((each) =>
    hasJoined.test(each) ? runsOf(each).flatMap((part) => (part.isJoined ? piecesOf(part.text) : [part.text])) : [each],
  )
}

/** A typed word. */
export interface Term extends Run {
  /** What an index has to contain, one right after the other; the last one may be the beginning of a token. */
  readonly tokens: readonly string[]
}

/** More than a person types. A pasted book would block the thread for seconds. */
const typedMaxChars = 1000
const termsAtMost = 32

/** The words of a typed text. All of them have to be found. */
export const termsOf = (typed: string): readonly Term[] =>
  runsOf(foldedTogether(typed.slice(0, typedMaxChars).normalize('NFC').match(word) ?? []))
    .slice(0, termsAtMost)
    .map(({ text, isJoined }) => {
      const pieces = isJoined ? piecesOf(text) : [text]
      return { text, isJoined, tokens: pieces.slice(0, Math.max(1, pieces.length - tokenLetters + 1)) }
    })

/** A part of a text, in UTF-16 units. */
export interface TextRange {
  readonly from: number
  readonly to: number
}

/** Words that are folded together: who needs the first hits of a long text does not wait for the others. */
const foldedAtOnce = 200

/** Where a text in NFC contains the terms, in order and without overlaps. */
export function* hitsIn(text: string, terms: readonly Term[]): Generator<TextRange> {
  let some: RegExpMatchArray[] = []
  for (const found of text.matchAll(word)) {
    if (some.push(found) < foldedAtOnce) continue
    yield* hitsAmong(some, terms)
    some = []
  }
  yield* hitsAmong(some, terms)
}

function* hitsAmong(words: readonly RegExpMatchArray[], terms: readonly Term[]): Generator<TextRange> {
  const foldedWords = foldedTogether(words.map(([raw]) => raw)).split('\n')
  for (const [order, { 0: raw, index = 0 }] of words.entries()) {
    const foldedWord = foldedWords[order] ?? ''
    if (!terms.some((term) => foldedWord.includes(term.text))) continue
    const ends = endsOfLetters(raw)
    let shownTo = 0
    for (const { from, to } of hitsInWord(foldedWord, terms)) {
      const start = Math.max(shownTo, ends[from - 1] ?? 0)
      shownTo = ends[to - 1] ?? raw.length
      if (start < shownTo) yield { from: index + start, to: index + shownTo }
    }
  }
}

/** For each unit of the folded word, where the letter of the word that it comes from ends. */
const endsOfLetters = (raw: string): readonly number[] =>
  [...raw.matchAll(letter)].flatMap((each) =>
    Array.from({ length: folded(each[0]).length }, () => each.index + each[0].length),
  )

/** Whole runs that begin with a term, and terms inside of joined ones. */
const hitsInWord = (foldedWord: string, terms: readonly Term[]): readonly TextRange[] =>
  runsOf(foldedWord)
    .flatMap((part) =>
      terms.flatMap((term) =>
        (part.isJoined ? findAll(part.text, term.text) : part.text.startsWith(term.text) ? [0] : []).map((at) => ({
          from: part.at + at,
          to: part.at + at + (part.isJoined ? term.text.length : part.text.length),
        })),
      ),
    )
    .toSorted((one, other) => one.from - other.from)

function findAll(text: string, wanted: string): readonly number[] {
  const found: number[] = []
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + wanted.length)) found.push(at)
  return found
}
