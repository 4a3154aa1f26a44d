import type { Bench, Delivered } from '../drive/bench.ts'
import { allDataOf, dataOf, whyNotAccepted } from '../protocol/answer.ts'
import type { Json } from '../protocol/exact-json.ts'
import { member, stringIn } from '../protocol/exact-json.ts'
import { whyNotFetched, whyNotPublic, whyOtherBytes } from './save-answer.ts'
import type { Finding, Unknown } from './verdict.ts'

/** File name of a font set's style sheet. */
const sheetName = 'vms_fonts.css'

/** An object of a font tree that has an `id`, a `clientUrl` or both. */
interface TreeEntry {
  /** Its `id`, otherwise its key: a site may return a tree of any shape. */
  readonly name: string
  readonly hasUrl: boolean
  /** The `clientUrl`, if it is a text. */
  readonly url: string | undefined
}

function entriesIn(tree: Json | undefined): readonly TreeEntry[] {
  const found: TreeEntry[] = []
  const visit = (value: Json, key: string): void => {
    if (value.kind === 'array') for (const each of value.items) visit(each, key)
    if (value.kind !== 'object') return
    const [id, url] = [stringIn(member(value, 'id')), member(value, 'clientUrl')]
    if (id !== undefined || url !== undefined)
      found.push({ name: id ?? key, hasUrl: url !== undefined, url: stringIn(url) })
    for (const [name, each] of value.members) visit(each, name)
  }
  if (tree !== undefined) visit(tree, '')
  return found
}

/** Maps the name of every entry in a tree to its `clientUrl`. */
export const clientUrlsIn = (tree: Json | undefined): ReadonlyMap<string, string | undefined> =>
  new Map(entriesIn(tree).map(({ name, url }) => [name, url]))

/** The answered URL of the style sheet; undefined when the answer has none, which is valid. */
function sheetUrl({ answer }: Delivered): string | undefined {
  const urls = clientUrlsIn(treeIn(answer))
  return urls.get(sheetName) ?? [...urls.values()].find((url) => url !== undefined && /\.css(?:[?#]|$)/i.test(url))
}

/** Whether an optional object is left out: absent, null, or the empty list that PHP writes for an empty object. */
const isLeftOut = (json: Json | undefined): boolean =>
  json === undefined ||
  (json.kind === 'plain' && json.text === 'null') ||
  (json.kind === 'array' && json.items.length === 0)

/** The returned font tree, or undefined. A backend may omit it. */
export function treeIn(answer: Delivered['answer']): Json | undefined {
  const tree = dataOf(answer, 'fonts')
  return isLeftOut(tree) ? undefined : tree
}

/** Why a returned font tree is not an object, or null. Clients find no URLs in a tree that is sent as text. */
export function whyTreeNotObject(answer: Delivered['answer']): string | null {
  const returned = { data: allDataOf(answer), 'data.fonts': treeIn(answer) }
  for (const [name, json] of Object.entries(returned)) {
    if (json === undefined || json.kind === 'object' || isLeftOut(json)) continue
    return `${name} is not an object: ${json.kind === 'plain' ? json.text : json.kind}`
  }
  return null
}

/** Why the answered tree is invalid, or null. */
export function whyTreeNotPublic(delivered: Delivered): string | null {
  const refused = whyNotAccepted(delivered.answer) ?? whyTreeNotObject(delivered.answer)
  const tree = treeIn(delivered.answer)
  if (refused !== null || tree === undefined) return refused
  for (const { name, hasUrl, url } of entriesIn(tree)) {
    const isOurs = name === sheetName || delivered.files.has(name)
    const why = isOurs || hasUrl ? whyNotPublic(url, delivered.unreachableHosts) : null
    if (why !== null) return `for ${name || 'an entry'} ${why}`
  }
  return null
}

/** URLs in plain `url()` notation. */
const address = /url\(\s*(?:"([^"]*)"|'([^']*)'|([^"'()\s]*))\s*\)/g

/** All URLs in a style sheet, without fragment and empty query, such as those of `?#iefix`. */
export const addressesIn = (css: string): readonly string[] =>
  [...css.matchAll(address)].map(([, double, single, bare]) =>
    (double ?? single ?? bare ?? '').replace(/\??(?:#.*)?$/s, ''),
  )

/** A backend may omit the tree; then there is nothing to judge. */
export const noTree: Unknown = { unchecked: 'the answer has no font tree, which is allowed', isOptional: true }

/** The tree may also be of a shape without this. */
export const noUrl = ({ answer }: Pick<Delivered, 'answer'>, ofWhat: string): Unknown =>
  treeIn(answer) === undefined
    ? noTree
    : { unchecked: `the returned font tree has no clientUrl ${ofWhat}`, isOptional: true }

/** Fetches the stored style sheet, or says why that is not possible. */
export async function fetchSheet(bench: Bench, delivered: Delivered): Promise<{ css: string } | { why: Finding }> {
  const refused = whyTreeNotPublic(delivered)
  if (refused !== null) return { why: refused }
  const url = sheetUrl(delivered)
  if (url === undefined) return { why: noUrl(delivered, 'of a style sheet') }
  const fetched = await bench.get(url)
  if (fetched.kind === 'unreachable') return { why: whyNotFetched(fetched, url) }
  return fetched.status === 200
    ? { css: fetched.bytes.toString('utf8') }
    : { why: `the URL of ${sheetName} answers HTTP ${fetched.status}` }
}

/** Why a file of the answered tree is not served, fonts with their bytes, or null. */
export async function whyFontsNotServed(bench: Bench, delivered: Delivered): Promise<Finding> {
  const refused = whyTreeNotPublic(delivered)
  if (refused !== null) return refused
  const none = noUrl(delivered, 'at all')
  let unknown: Finding = none
  for (const { name, url } of entriesIn(treeIn(delivered.answer))) {
    if (url === undefined) continue
    const why = await whyOtherBytes(bench, url, delivered.files.get(name), name || 'an entry')
    if (typeof why === 'string') return why
    unknown = unknown === none ? why : (unknown ?? why)
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
  if (found.length !== wanted.length) return `${found.length} URLs in the style sheet, not ${wanted.length}`
  for (const [at, name] of wanted.entries()) {
    const base = sheetUrl(delivered)
    const url = URL.canParse(found[at] ?? '', base) ? new URL(found[at] ?? '', base).href : null
    const why =
      url === null ? `no address for ${name}` : await whyOtherBytes(bench, url, delivered.files.get(name), name)
    if (why !== null) return typeof why === 'string' ? `in the style sheet, ${why}` : why
  }
  return null
}
