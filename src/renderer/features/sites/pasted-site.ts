import type { SiteDraft } from './site-draft.ts'

type Field = 'baseUrl' | 'apiKey' | 'secret' | 'callbackUrl'

/** What was recognised in a pasted text. */
export interface PastedSite {
  readonly fields: Partial<Pick<SiteDraft, Field>>
  /** Fields for which the text has several values, such as one for each environment; the first is used. */
  readonly several: readonly Field[]
}

/** Names of the values in both languages, the most specific first: a secret key is a secret, a callback URL no service. */
const names: readonly (readonly [Field, string])[] = [
  ['callbackUrl', String.raw`(?:callback|webhook)[\s_-]*(?:url|address)|url колбэка|адрес колбэка`],
  ['secret', String.raw`(?:api[\s_-]*)?secret(?:[\s_-]*(?:api[\s_-]*)?key)?|(?:signing|hmac)[\s_-]*key`],
  ['secret', String.raw`секретный[\s_-]*(?:api[\s_-]*)?ключ|секрет`],
  ['apiKey', String.raw`(?:api|project|public|publishable)[\s_-]*key|api[\s_-]*ключ|ключ[\s_-]*(?:api|проекта)`],
  ['baseUrl', String.raw`(?:(?:base|service|api|integration)[\s_-]*)?(?:url|endpoint|address)`],
  ['baseUrl', String.raw`(?:базовый[\s_-]*)?(?:url|адрес)(?:[\s_-]*(?:сервиса|api))?`],
  ['apiKey', String.raw`key|ключ`],
]
/** Whole words, also between underscores as in `GALLEY_API_KEY`. */
const nameIn = new RegExp(
  names.map(([, name], at) => String.raw`(?<n${at}>(?<![\p{L}\d])(?:${name})(?![\p{L}\d]))`).join('|'),
  'giu',
)
/** Between a name and its value: marks of mails, tables, YAML, Markdown and env lines, or “is”. */
const separator = /^["'`*_)\]]*(?:\s*(?::(?!\/\/)|=>?|\||\t|[—–]|\s-\s|\s{2,})|\s+(?:is|это)(?=\s))[\s:=|*_]*/u

const isUrl = (value: string): boolean => /^https?:\/\/./i.test(value) && URL.canParse(value)
/** Stars and words in brackets stand for a value that was left out. */
const isLeftOut = (value: string): boolean => /^[*•.xX…]+$/u.test(value) || /^<|^[[{(].*[\]})]$/u.test(value)

const fits = (field: Field, value: string): boolean =>
  value !== '' && !isLeftOut(value) && isUrl(value) === (field === 'baseUrl' || field === 'callbackUrl')

/** The first value of a text: what is in quotes, or up to a blank or the next cell. */
function valueAt(text: string): string {
  const quoted = /^(["'`])(.*?)\1/u.exec(text)
  if (quoted?.[2] !== undefined) return quoted[2]
  const value = /^[^\s|]*/u.exec(text)?.[0] ?? ''
  if (/^<?https?:/i.test(value)) return value.replace(/^</, '').replace(/[>"'`),;.]+$/u, '')
  return value.replace(/[,;]$/u, '').replace(/^\*\*(.*)\*\*$/u, '$1')
}

const fieldOf = (match: RegExpMatchArray): Field | null =>
  names.find((_, at) => match.groups?.[`n${at}`] !== undefined)?.[0] ?? null

/** Whole files are pasted by mistake. */
const maxChars = 20_000
const maxLines = 500

type Pair = readonly [Field, string]

/** The pairs of JSON at any depth; null if the text has none. */
function jsonPairs(text: string): readonly Pair[] | null {
  const from = text.search(/[[{]/u)
  const json = text.slice(from, Math.max(text.lastIndexOf('}'), text.lastIndexOf(']')) + 1)
  if (from === -1) return null
  const pairs: Pair[] = []
  try {
    JSON.parse(json, (key, value: unknown) => {
      // Members in camel case are names of several words.
      const match = [...key.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '_').matchAll(nameIn)].at(-1)
      const field = match ? fieldOf(match) : null
      if (field !== null && typeof value === 'string') pairs.push([field, value.trim()])
      return value
    })
  } catch {
    return null
  }
  return pairs
}

const cellsOf = (line: string): readonly string[] =>
  line
    .replace(/^\s*\||\|\s*$/gu, '')
    .split(/\t|\||;|,(?=\S)/u)
    .map((cell) => cell.trim())

/** Pairs of a table whose first row has the names: each cell belongs to the name above it. */
function tablePairs(lines: readonly string[]): readonly Pair[] {
  return lines.flatMap((line, at) => {
    const fields = cellsOf(line).map((cell) => {
      const match = [...cell.matchAll(nameIn)][0]
      return match && match[0].length >= cell.length - 4 ? fieldOf(match) : null
    })
    if (fields.filter((field) => field !== null).length < 2) return []
    const row = lines.slice(at + 1).find((below) => !/^[\s|:+-]*$/u.test(below))
    const cells = row === undefined ? [] : cellsOf(row)
    return fields.flatMap((field, cell): Pair[] => (field === null ? [] : [[field, valueAt(cells[cell] ?? '')]]))
  })
}

/** Pairs within a line, or a name alone with its value on the next line. */
function linePairs(lines: readonly string[]): readonly Pair[] {
  return lines.flatMap((line, at) =>
    [...line.matchAll(nameIn)].flatMap((match): Pair[] => {
      const field = fieldOf(match)
      if (field === null) return []
      const rest = line.slice(match.index + match[0].length)
      const between = separator.exec(rest)
      const found = between === null ? '' : valueAt(rest.slice(between[0].length))
      // Sentences end in a full stop; other lines may have a value that does.
      const value = /[:=|\t]/u.test(between?.[0] ?? '') ? found : found.replace(/\.$/u, '')
      if (value !== '') return [[field, value]]
      const next = lines[at + 1]?.trim() ?? ''
      return /^["'`*_:)\]|\s]*$/u.test(rest) && !/\s/u.test(next) ? [[field, valueAt(next)]] : []
    }),
  )
}

/** URLs that nothing names: that of the service ends in /integration. */
function urlPairs(text: string): readonly Pair[] {
  const urls = [...text.matchAll(/https?:\/\/[^\s"'`<>|]+/giu)].map(([url]) => valueAt(url)).filter(isUrl)
  const ofService = urls.find((url) => /\/integration\/?$/u.test(url)) ?? urls.find((url) => !/callback/iu.test(url))
  const callback = urls.find((url) => url.includes('/callback/'))
  return [
    ...(ofService === undefined ? [] : [['baseUrl', ofService] as const]),
    ...(callback === undefined ? [] : [['callbackUrl', callback] as const]),
  ]
}

/**
 * Finds the service URL, API key, secret and callback URL in what a service sends to its customers: a mail, a table, lines with
 * names, JSON or environment variables, in any order.
 */
export function readPasted(text: string): PastedSite {
  const lines = text
    .slice(0, maxChars)
    .split(/\r?\n/u)
    .slice(0, maxLines)
    .map((line) => line.replace(/^[\s>•*-]+(?=\S)/u, '').replace(/^(?:export|set)\s+/iu, ''))
    .filter((line) => line.trim() !== '')
  const table = tablePairs(lines)
  const pairs = jsonPairs(text.slice(0, maxChars)) ?? (table.length > 0 ? table : linePairs(lines))
  const named = pairs.filter(([field, value]) => fits(field, value))
  const fields: Partial<Record<Field, string>> = {}
  for (const [field, value] of [...named, ...urlPairs(lines.join('\n'))]) fields[field] ??= value
  const several = named.filter(([field, value]) => fields[field] !== value).map(([field]) => field)
  return { fields, several: [...new Set(several)] }
}
