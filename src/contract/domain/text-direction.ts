/** Scripts that are written from right to left. */
const rightToLeft: ReadonlySet<string> = new Set(
  'Adlm Arab Armi Avst Hebr Hung Mand Mani Mend Mero Nbat Nkoo Orkh Palm Phli Prti Rohg Samr Sarb Syrc Thaa Yezi'.split(
    ' ',
  ),
)

/** Which way a language is written: by its script, which most languages name by themselves. */
export function textDirection(language: string): 'ltr' | 'rtl' {
  try {
    return rightToLeft.has(new Intl.Locale(language).maximize().script ?? '') ? 'rtl' : 'ltr'
  } catch {
    // No language at all.
    return 'ltr'
  }
}
