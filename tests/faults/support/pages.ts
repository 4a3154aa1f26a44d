/** One save as an editor sends it, and its effects if the site accepts it. */
export interface Save {
  readonly materialId: string
  readonly html: string
  /** JSON text; the number in it fits into no JavaScript number. */
  readonly state: string
  /** New files of this save, in base64. */
  readonly files: Readonly<Record<string, string>>
  /** The bytes of every file the page shows, new or not, as text. */
  readonly shown: ReadonlyMap<string, string>
}

type Assets = Readonly<Record<string, { readonly clientUrl: string }>>

/** Writes pages of several materials. Each save continues from what the service shows. */
export function createPages(random: () => number) {
  let count = 0
  const latest = new Map<string, Map<string, string>>()
  const upTo = (limit: number): number => Math.floor(random() * limit)

  /** The next save of a material whose assets the service shows like this. */
  return (materialId: string, assets: Assets): Save => {
    count += 1
    const known = latest.get(materialId) ?? new Map<string, string>()
    const shown = new Map([...known].filter(([name]) => Object.hasOwn(assets, name) && random() < 0.9))
    const files: Record<string, string> = {}
    for (let added = upTo(3); added > 0; added--) {
      // Sometimes an existing file is replaced.
      const [replaced] = shown.keys()
      const name = replaced !== undefined && random() < 0.2 ? replaced : `file-${count}-${added}.bin`
      const text = `${name} of save ${count} ${'x'.repeat(upTo(40_000))}`
      shown.set(name, text)
      files[name] = Buffer.from(text).toString('base64')
    }
    latest.set(materialId, new Map([...known, ...shown]))
    const urls = Array.from(shown.keys(), (name): [string, string] => [
      name,
      Object.hasOwn(files, name) ? `dummy-${name}` : (assets[name]?.clientUrl ?? ''),
    ])
    const images = urls.map(([, url]) => `<img src="${url}" alt="">`).join('')
    const entries = urls.map(
      ([name, clientUrl]) => `${JSON.stringify(name)}: {"clientUrl":${JSON.stringify(clientUrl)}}`,
    )
    return {
      materialId,
      html: `<article><h1>Save ${count}</h1>${images}</article>`,
      state: `{"10": ${count}, "2":12345678901234567890, "assets": {${entries.join(', ')}}}`,
      files,
      shown,
    }
  }
}
