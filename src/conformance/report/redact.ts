/** Longer texts of a backend are cut, after what belongs in no report was taken out. */
const maxChars = 300

/** A text without the keys and signatures that a backend may quote. */
export function redact(text: string, keys: readonly string[], limit = maxChars): string {
  const clean = keys
    // Shorter ones are words that a sentence may hold anyway.
    .filter(({ length }) => length > 3)
    .reduce((sofar, key) => sofar.replaceAll(key, '…'), text)
    .replace(/[0-9a-f]{64}/gi, '…')
  return clean.length <= limit ? clean : `${clean.slice(0, limit - 1).toWellFormed()}…`
}
