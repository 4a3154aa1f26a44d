/**
 * The same files under every spelling that means them: a name as it is, and its composed (NFC) and decomposed (NFD)
 * form, since a file system or an editor may have turned one into the other. A form that two files share means neither
 * of them, and a name as it is always wins.
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
