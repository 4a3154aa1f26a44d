import type { Finding } from './verdict.ts'
import type { Bench, Delivered } from '../drive/bench.ts'
import { dataOf, whyNotAccepted } from '../protocol/answer.ts'
import type { Json } from '../protocol/exact-json.ts'
import { member, stringIn } from '../protocol/exact-json.ts'
import { whyNotFetched, whyNotPublic, whyOtherBytes } from './save-answer.ts'

/** File name of a font set's style sheet. */
const sheetName = 'vms_fonts.css'

/** Maps the `id` of every object in a tree to its `clientUrl`. */
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

/** The answered URL of the style sheet; undefined when the answer has none, which is valid. */
const sheetUrl = ({ answer }: Delivered): string | undefined => clientUrlsIn(dataOf(answer, 'fonts')).get(sheetName)

/** Why the answered tree is invalid, or null. A backend may omit the tree. */
export function whyTreeNotPublic(delivered: Delivered): string | null {
  const refused = whyNotAccepted(delivered.answer)
  const tree = dataOf(delivered.answer, 'fonts')
  if (refused !== null || tree === undefined) return refused
  for (const [id, url] of clientUrlsIn(tree)) {
    const isOurs = id === sheetName || delivered.files.has(id)
    const why = isOurs ? whyNotPublic(url, delivered.unreachableHosts) : null
    if (why !== null) return `for ${id} ${why}`
  }
  return null
}

/** URLs in plain `url()` notation. */
const address = /url\(\s*(?:"([^"]*)"|'([^']*)'|([^"'()\s]*))\s*\)/g

/** All URLs in a style sheet, without query and fragment. */
export const addressesIn = (css: string): readonly string[] =>
  [...css.matchAll(address)].map(([, double, single, bare]) => (double ?? single ?? bare ?? '').replace(/[?#].*$/s, ''))

/** A backend may omit the tree; then there is nothing to judge. */
const noTree = { unchecked: 'the answer has no font tree, as it may', isMoot: true } as const

/** Fetches the stored style sheet, or says why that is not possible. */
export async function fetchSheet(bench: Bench, delivered: Delivered): Promise<{ css: string } | { why: Finding }> {
  const refused = whyTreeNotPublic(delivered)
  if (refused !== null) return { why: refused }
  const url = sheetUrl(delivered)
  if (url === undefined) return { why: noTree }
  const fetched = await bench.get(url)
  if (fetched.kind === 'unreachable') return { why: whyNotFetched(fetched, url) }
  return fetched.status === 200
    ? { css: fetched.bytes.toString('utf8') }
    : { why: `the URL of ${sheetName} answers HTTP ${fetched.status}` }
}

/** Why a font file of the answered tree is not served with its bytes, or null. */
export async function whyFontsNotServed(bench: Bench, delivered: Delivered): Promise<Finding> {
  const refused = whyTreeNotPublic(delivered)
  if (refused !== null) return refused
  let unknown: Finding = noTree
  for (const [id, url] of clientUrlsIn(dataOf(delivered.answer, 'fonts'))) {
    const bytes = delivered.files.get(id)
    if (bytes === undefined || url === undefined) continue
    const why = await whyOtherBytes(bench, url, bytes, id)
    if (typeof why === 'string') return why
    unknown = unknown === noTree ? why : (unknown ?? why)
  }
  return unknown
}

/** Why the URLs in the stored style sheet do not resolve to these files in order, or null. */
export async function whySheetUrlsWrong(
  bench: Bench,
  delivered: Delivered,
  wanted: readonly string[],
): Promise<Finding> {
  const sheet = await fetchSheet(bench, delivered)
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
    if (why !== null) return typeof why === 'string' ? `in the style sheet, ${why}` : why
  }
  return null
}
