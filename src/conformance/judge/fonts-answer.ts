import type { Bench, Delivered } from '../drive/bench.ts'
import { dataOf, whyNotAccepted } from './answers.ts'
import type { Json } from './exact-json.ts'
import { member, stringIn } from './exact-json.ts'
import { whyNotPublic, whyOtherBytes } from './save-answer.ts'

/** The name of the style sheet among the files of a font set. */
const sheetName = 'vms_fonts.css'

/** Every object of a tree that has an `id`, with the `clientUrl` it carries. */
export function clientUrlsIn(tree: Json | undefined): ReadonlyMap<string, string | undefined> {
  const found = new Map<string, string | undefined>()
  const visit = (value: Json): void => {
    if (value.kind === 'array') value.items.forEach(visit)
    if (value.kind !== 'object') return
    const id = stringIn(member(value, 'id'))
    if (id !== undefined) found.set(id, stringIn(member(value, 'clientUrl')))
    for (const [, each] of value.members) visit(each)
  }
  if (tree !== undefined) visit(tree)
  return found
}

/** The answered URL of the style sheet; undefined when the answer, as it may, has none. */
const sheetUrl = ({ answer }: Delivered): string | undefined => clientUrlsIn(dataOf(answer, 'fonts')).get(sheetName)

/** Why the answered tree would not do, or null. A backend may leave the tree out. */
export function whyTreeNotPublic(delivered: Delivered): string | null {
  const refused = whyNotAccepted(delivered.answer)
  const tree = dataOf(delivered.answer, 'fonts')
  if (refused !== null || tree === undefined) return refused
  for (const [id, url] of clientUrlsIn(tree)) {
    const isOurs = id === sheetName || delivered.files.has(id)
    const why = isOurs ? whyNotPublic(url) : null
    if (why !== null) return `for ${id} ${why}`
  }
  return null
}

/** Addresses in a style sheet, as a browser would read the plain ones. */
const address = /url\(\s*(?:"([^"]*)"|'([^']*)'|([^"'()\s]*))\s*\)/g

/** Every address of a style sheet, without what follows a `?` or `#`. */
export const addressesIn = (css: string): readonly string[] =>
  [...css.matchAll(address)].map(([, double, single, bare]) => (double ?? single ?? bare ?? '').replace(/[?#].*$/s, ''))

/** The stored style sheet, a reason why there is none to look at, or null when it is out of reach from here. */
export async function fetchSheet(
  bench: Bench,
  delivered: Delivered,
): Promise<{ css: string } | { why: string } | null> {
  const refused = whyTreeNotPublic(delivered)
  if (refused !== null) return { why: refused }
  const url = sheetUrl(delivered)
  if (url === undefined) return null
  const fetched = await bench.get(url)
  if (fetched.kind === 'unreachable') return null
  return fetched.status === 200
    ? { css: fetched.bytes.toString('utf8') }
    : { why: `the URL of ${sheetName} answers HTTP ${fetched.status}` }
}

/** Why some font file of the answered tree is not served with its bytes, or null. */
export async function whyFontsNotServed(bench: Bench, delivered: Delivered): Promise<string | null> {
  const refused = whyTreeNotPublic(delivered)
  if (refused !== null) return refused
  for (const [id, url] of clientUrlsIn(dataOf(delivered.answer, 'fonts'))) {
    const bytes = delivered.files.get(id)
    const why = bytes !== undefined && url !== undefined ? await whyOtherBytes(bench, url, bytes, id) : null
    if (why !== null) return why
  }
  return null
}

/** Why the addresses of the stored style sheet do not lead to these files, in their order, or null. */
export async function whySheetLeadsAstray(
  bench: Bench,
  delivered: Delivered,
  wanted: readonly string[],
): Promise<string | null> {
  const sheet = await fetchSheet(bench, delivered)
  if (sheet === null) return null
  if ('why' in sheet) return sheet.why
  const found = addressesIn(sheet.css)
  const left = found.find((each) => each.startsWith('dummy-'))
  if (left !== undefined) return `${left} was left in the style sheet`
  if (found.length !== wanted.length) return `${found.length} addresses in the style sheet, not ${wanted.length}`
  for (const [at, name] of wanted.entries()) {
    const base = sheetUrl(delivered)
    const url = URL.canParse(found[at] ?? '', base) ? new URL(found[at] ?? '', base).href : null
    const why =
      url === null ? `no address for ${name}` : await whyOtherBytes(bench, url, delivered.files.get(name), name)
    if (why !== null) return `in the style sheet, ${why}`
  }
  return null
}
