import { bytesOf, segmentMaxBytes } from './page-path.ts'

const maxChars = 60

/** Letters that Unicode does not decompose into a Latin letter and marks, with their usual Latin spelling. */
const spellings = new Map(
  (
    'а a б b в v г g ґ g д d ђ dj е e є ye ё yo ж zh з z и i і i ї yi й y ј j к k л l љ lj м m н n њ nj о o п p р r с s ' +
    'т t ћ c у u ў u ф f х kh ц ts ч ch џ dz ш sh щ shch ы y э e ю yu я ya ' +
    'α a β v γ g δ d ε e ζ z η i θ th ι i κ k λ l μ m ν n ξ x ο o π p ρ r σ s ς s τ t υ y φ f χ ch ψ ps ω o ' +
    'ß ss æ ae œ oe ø o đ d ð d þ th ł l ı i ħ h ŋ ng'
  )
    .split(' ')
    .flatMap((letter, index, all) => (index % 2 === 0 ? [[letter, all[index + 1] ?? ''] as const] : [])),
)

/** Characters inside words that are dropped. */
const silent = new Set("ьъ'’ʼ`")

/**
 * Lower-case text with Latin, Cyrillic and Greek letters spelled in `a-z`. All other characters are kept. Composed and
 * decomposed spellings of a text give the same result.
 */
const inLatin = (text: string): string =>
  spelled(text.normalize('NFC').toLowerCase())
    // The remaining characters are decomposed: é becomes e and a mark, ﬁ becomes f and i.
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}|[^a-z0-9]/gu, (sign) => spellings.get(sign) ?? (/\p{M}/u.test(sign) ? '' : sign))

const spelled = (text: string): string =>
  text.replace(/[^a-z0-9]/gu, (letter) => (silent.has(letter) ? '' : (spellings.get(letter) ?? letter)))

/**
 * Lower-case ASCII letters, digits and single inner hyphens, at most `limit` characters; empty if the text has none. Such a
 * name is the same on every file system: it has no upper case, no composed characters, no dot and no reserved characters.
 */
export const plainName = (text: string, limit = maxChars): string =>
  inLatin(text)
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-/, '')
    .slice(0, limit)
    .replace(/-$/, '')

const inWords = /[\p{L}\p{M}\p{Nd}'’ʼ`]+|[^\p{L}\p{M}\p{Nd}'’ʼ`]+/gu

/** A word in Latin letters, or in its own if one of them has no Latin spelling. What is between words has no letters. */
function spelledWord(word: string): string {
  const latin = inLatin(word)
  const isForeign = /[\p{L}\p{Nd}]/u.test(word) && /[\p{Ll}\p{Lo}\p{Nd}]/u.test(latin.replace(/[a-z0-9]/g, ''))
  if (!isForeign) return latin.replace(/[^a-z0-9]+/g, '-')
  return word
    .toLowerCase()
    .replace(/['’ʼ`]/g, '')
    .normalize('NFC')
    .replace(/^\p{M}+/u, '')
}

/**
 * A text as a segment of an address: words joined by single hyphens. Words in Latin, Cyrillic and Greek letters are spelled as
 * in `plainName`; those of other scripts keep their letters, marks and digits. Empty if the text has none.
 */
export const wholeName = (text: string): string =>
  // Most texts are plain, and a site has thousands.
  /^[\x20-\x7e]*$/.test(text) ? plainWords(text) : foreignWords(text)

const plainWords = (text: string): string =>
  text
    .toLowerCase()
    .replace(/['`]/g, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')

const foreignWords = (text: string): string =>
  text
    .normalize('NFC')
    .replace(/\p{DI}/gu, '')
    .replace(inWords, spelledWord)
    .replace(/[^\p{Ll}\p{Lo}\p{Lm}\p{M}\p{Nd}]+/gu, '-')
    .replace(/^-|-$/g, '')

/** What is read of a text: the length of a segment, and more than enough for the other characters of Latin texts, in UTF-16 units. */
const readAtMost = 300

/** The same, cut to the length of a segment: Latin to as many characters as `plainName`, other scripts to its bytes. */
export function addressName(text: string): string {
  const name = wholeName(text.normalize('NFC').slice(0, readAtMost))
  return /[^a-z0-9-]/.test(name) ? cutName(name, segmentMaxBytes) : name.slice(0, maxChars).replace(/-$/, '')
}

/** As much of a name as `max` has room for, without a hyphen at its end. No letter is separated from its marks. */
export function cutName(name: string, max: number, sizeOf: (part: string) => number = bytesOf): string {
  let [end, size] = [0, 0]
  for (const [letter] of name.matchAll(/\P{M}\p{M}*/gu)) {
    size += sizeOf(letter)
    if (size > max) break
    end += letter.length
  }
  return name.slice(0, end).replace(/[-/]+$/, '')
}

/** A name with an ending, in the length of a segment. Only the last segment of a path is cut. */
export function withEnding(path: string, ending: string): string {
  const start = path.lastIndexOf('/') + 1
  return path.slice(0, start) + cutName(path.slice(start), segmentMaxBytes - bytesOf(ending)) + ending
}
