/** A text, and where each of its characters begins and ends in the original text. */
interface Mapped {
  readonly text: string
  readonly from: readonly number[]
  readonly to: readonly number[]
}

/** Bounded, so that the run time is linear. */
const escapes =
  /(?:%[\da-f]{2})+|(?:\\{1,16}u[\da-f]{4})+|\\{1,16}x[\da-f]{2}|&#(?:\d{1,7}|x[\da-f]{1,6});|&(?:amp|lt|gt|quot|apos);/gi

const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/** The character that an escape represents. */
function unescaped(escape: string): string {
  if (escape.startsWith('%')) return Buffer.from(escape.replaceAll('%', ''), 'hex').toString('utf8')
  if (escape.startsWith('&#')) {
    const point = Number(escape.slice(2, -1).replace(/^x/i, '0x'))
    return point <= 0x10_ff_ff ? String.fromCodePoint(point) : ' '
  }
  if (escape.startsWith('&')) return named[escape.slice(1, -1).toLowerCase()] ?? ' '
  return escape.replaceAll(/\\+[ux]([\da-f]+)/gi, (_, unit: string) => String.fromCharCode(Number.parseInt(unit, 16)))
}

/** Letters and digits, or one character with its marks. */
const characters = /[a-z\d]+(?!\p{M})|\P{M}\p{M}{0,16}|\p{M}/giu
/** Characters that encodings write in different ways. */
const separators = /[\s\\+\-_/=\p{Cc}\p{Cf}]/gu

/** Without case, compatibility forms and separators. */
const folded = (written: string): string =>
  /^[a-z\d]+$/i.test(written)
    ? written.toLowerCase()
    : written.normalize('NFKD').toUpperCase().toLowerCase().normalize('NFKD').replaceAll(separators, '')

/** The text with other parts instead of those of a form. */
function replaced(mapped: Mapped, form: RegExp, by: (part: string) => string): Mapped {
  const parts: string[] = []
  const from: number[] = []
  const to: number[] = []
  const put = (part: string, index: number, length: number): void => {
    parts.push(part)
    // If the length is the same, each character comes from its own position.
    const step = part.length === length ? 1 : 0
    for (let unit = 0; unit < part.length; unit += 1) {
      from.push(mapped.from[index + unit * step] ?? 0)
      to.push(mapped.to[step === 1 ? index + unit : index + length - 1] ?? 0)
    }
  }
  let end = 0
  for (const { 0: part, index } of mapped.text.matchAll(form)) {
    put(mapped.text.slice(end, index), end, index - end)
    put(by(part), index, part.length)
    end = index + part.length
  }
  put(mapped.text.slice(end), end, mapped.text.length - end)
  return { text: parts.join(''), from, to }
}

/** An escaped text may be escaped again. */
const levels = 4

/** The form that all spellings of a text share. */
function fold(text: string): Mapped {
  const places = Array.from({ length: text.length }, (_, at) => at)
  let mapped: Mapped = { text, from: places, to: places.map((at) => at + 1) }
  for (let level = 0; level < levels && /[%\\&]/.test(mapped.text); level += 1)
    mapped = replaced(mapped, escapes, unescaped)
  return replaced(mapped, characters, folded)
}

/** Shorter ones are words that other texts contain too: they are found as they are. */
const foldedCharsAtLeast = 6

/**
 * The traces of a secret in any spelling: the secret, its bytes in hexadecimal, and in Base64 at each of the three
 * positions where it may begin, without the characters shared with neighbouring bytes.
 */
function traces(secret: string): readonly string[] {
  const bytes = Buffer.from(secret)
  const inBase64 = [0, 1, 2].map((before) => {
    const bits = (before + bytes.length) * 8
    return Buffer.concat([Buffer.alloc(before), bytes])
      .toString('base64')
      .slice(Math.ceil((before * 8) / 6), Math.floor(bits / 6))
  })
  return [secret, bytes.toString('hex'), ...inBase64]
    .map((written) => fold(written).text)
    .filter(({ length }) => length >= foldedCharsAtLeast)
}

const known = new Map<string, readonly string[]>()

function tracesOf(secret: string): readonly string[] {
  const found = known.get(secret) ?? traces(secret)
  known.set(secret, found)
  return found
}

/**
 * The text with `mark` for each of these secrets in any spelling: escaped for JSON, URL or HTML, also twice; in Base64 or
 * hexadecimal; in other letter case, Unicode form, or with other white space. Linear in the text.
 */
export function hideSpellings(text: string, secrets: ReadonlySet<string>, mark: string): string {
  if (secrets.size === 0) return text
  const mapped = fold(text)
  const found: (readonly [number, number])[] = []
  for (const secret of secrets) {
    for (let at = text.indexOf(secret); at !== -1; at = text.indexOf(secret, at + secret.length))
      found.push([at, at + secret.length])
    for (const trace of tracesOf(secret))
      for (let at = mapped.text.indexOf(trace); at !== -1; at = mapped.text.indexOf(trace, at + trace.length))
        found.push([mapped.from[at] ?? 0, mapped.to[at + trace.length - 1] ?? text.length])
  }
  let shown = ''
  let end = 0
  for (const [from, to] of found.toSorted(([one], [other]) => one - other)) {
    if (to <= end) continue
    if (from >= end) shown += text.slice(end, from) + mark
    end = to
  }
  return shown + text.slice(end)
}
