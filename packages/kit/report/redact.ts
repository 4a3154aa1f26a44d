/** Longer texts of a backend are truncated after redaction. */
const maxChars = 300

/** A text without the keys and signatures that a backend may quote. */
export function redact(text: string, keys: readonly string[], limit = maxChars): string {
  const clean = keys
    // Shorter keys may be ordinary words.
    .filter(({ length }) => length > 3)
    .reduce((sofar, key) => sofar.replaceAll(key, '…'), text)
    .replace(/[0-9a-f]{64}/gi, '…')
  return clean.length <= limit ? clean : `${clean.slice(0, limit - 1).toWellFormed()}…`
}
