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
export const inLatin = (text: string): string =>
  spelled(text.normalize('NFC').toLowerCase())
    // The remaining characters are decomposed: é becomes e and a mark, ﬁ becomes f and i.
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}|[^a-z0-9]/gu, (sign) => spellings.get(sign) ?? (/\p{M}/u.test(sign) ? '' : sign))

const spelled = (text: string): string =>
  text.replace(/[^a-z0-9]/gu, (letter) => (silent.has(letter) ? '' : (spellings.get(letter) ?? letter)))
