const named = /^(<\?xml[^>]*\sencoding\s*=\s*)(["'])([\w.:-]+)\2/i

/** The text of an SVG for a bundle: decoded from the encoding that it declares, and declaring UTF-8. */
export function svgText(bytes: Uint8Array): string {
  const start = new TextDecoder('latin1').decode(bytes.subarray(0, 200))
  const [mark] = /^(?:\xff\xfe|\xfe\xff)/.exec(start) ?? []
  const declared = named.exec(start)?.[3] ?? 'utf-8'
  // Programs that could read the declaration, browsers included, do not read UTF-16.
  const label =
    mark === '\xff\xfe'
      ? 'utf-16le'
      : mark === '\xfe\xff'
        ? 'utf-16be'
        : /^utf-?16/i.test(declared)
          ? 'utf-8'
          : declared
  return decoded(bytes, label).replace(named, '$1$2UTF-8$2')
}

function decoded(bytes: Uint8Array, label: string): string {
  try {
    return new TextDecoder(label).decode(bytes)
  } catch {
    return new TextDecoder().decode(bytes)
  }
}
