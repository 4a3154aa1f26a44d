/** Scripts that are written from right to left. */
const rightToLeft: ReadonlySet<string> = new Set(
  'Adlm Arab Armi Avst Hebr Hung Mand Mani Mend Mero Nbat Nkoo Orkh Palm Phli Prti Rohg Samr Sarb Syrc Thaa Yezi'.split(
    ' ',
  ),
)

const known = new Map<string, 'ltr' | 'rtl'>()

/** The direction of a language: by its script, which most language tags imply. */
export function textDirection(language: string): 'ltr' | 'rtl' {
  // Called for every page, and a site has few languages.
  const direction = known.get(language) ?? directionOf(language)
  if (known.size < 1000) known.set(language, direction)
  return direction
}

function directionOf(language: string): 'ltr' | 'rtl' {
  try {
    return rightToLeft.has(new Intl.Locale(language).maximize().script ?? '') ? 'rtl' : 'ltr'
  } catch {
    // Not a language tag.
    return 'ltr'
  }
}
