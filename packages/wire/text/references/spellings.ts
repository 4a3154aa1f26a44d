/**
 * The same files under all equivalent spellings: the name itself and its composed (NFC) and decomposed (NFD) forms, because
 * a file system or an editor may convert one into the other. A form that two files share is ambiguous and omitted; an exact
 * name always takes precedence.
 */
export function bySpelling<Value>(byName: ReadonlyMap<string, Value>): ReadonlyMap<string, Value> {
  const spelled = new Map<string, Value>()
  const shared = new Set<string>()
  for (const [name, value] of byName) {
    for (const form of new Set([name.normalize('NFC'), name.normalize('NFD')])) {
      if (form === name) continue
      if (spelled.has(form)) shared.add(form)
      spelled.set(form, value)
    }
  }
  for (const form of shared) spelled.delete(form)
  for (const [name, value] of byName) spelled.set(name, value)
  return spelled
}
