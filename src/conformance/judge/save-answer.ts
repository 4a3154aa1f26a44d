import type { Bench, Delivered } from '../drive/bench.ts'
import { dataOf, whyNotAccepted } from './answers.ts'
import type { Closeness } from './difference.ts'
import { difference } from './difference.ts'
import { member, readExactly, stringIn } from './exact-json.ts'

/** Why this text is not a public URL, or null (contract, Terms and Errors 2). */
export function whyNotPublic(url: string | undefined): string | null {
  if (url === undefined) return 'no clientUrl'
  if (url === '') return 'an empty clientUrl'
  if (url.startsWith('dummy-')) return `a clientUrl that begins with dummy-`
  return /^https?:\/\//i.test(url) && URL.canParse(url) ? null : `"${url.slice(0, 100)}", which is no http address`
}

/** The answered URL of a media file, or undefined. */
export const urlOf = (answer: Delivered['answer'], name: string): string | undefined =>
  stringIn(member(member(member(dataOf(answer, 'vms_json'), 'assets'), name), 'clientUrl'))

/** Names in `assets` of the state that was sent. */
function assetNames({ stateText }: Delivered): readonly string[] {
  const sent = readExactly(stateText)
  const assets = sent === null ? undefined : member(sent, 'assets')
  return assets?.kind === 'object' ? assets.members.map(([name]) => name) : []
}

/** Why not every asset of the answer has a public URL, or null. */
export function whyUrlsNotPublic(delivered: Delivered): string | null {
  const refused = whyNotAccepted(delivered.answer)
  if (refused !== null) return refused
  for (const name of assetNames(delivered)) {
    const why = whyNotPublic(urlOf(delivered.answer, name))
    if (why !== null) return `rc 1, and for ${name} ${why}`
  }
  return null
}

/** Why the answered state is not the one that was sent with only `assets[*].clientUrl` changed, or null. */
export function whyStateNotKept(delivered: Delivered, by: Closeness['by'] = 'value'): string | null {
  const refused = whyNotAccepted(delivered.answer)
  if (refused !== null) return refused
  const got = dataOf(delivered.answer, 'vms_json')
  const sent = readExactly(delivered.stateText)
  if (got === undefined) return 'rc 1 without data.vms_json'
  if (got.kind !== 'object') return 'rc 1 with a data.vms_json that is no object'
  if (sent === null) return null
  return difference(sent, got, {
    by,
    mayDiffer: ([root, , key, ...rest]) => root === 'assets' && key === 'clientUrl' && rest.length === 0,
  })
}

/** Why an acceptance is not whole, or null: state kept, and every asset with a public URL. */
export const whyNotComplete = (delivered: Delivered): string | null =>
  whyStateNotKept(delivered) ?? whyUrlsNotPublic(delivered)

/** Why a file is not served with its bytes under its answered URL, or null; a host out of reach judges nobody. */
async function whyNotServed(bench: Bench, delivered: Delivered, name: string): Promise<string | null> {
  const url = urlOf(delivered.answer, name)
  const why = whyNotAccepted(delivered.answer) ?? whyNotPublic(url)
  if (why !== null || url === undefined) return why
  return whyOtherBytes(bench, url, delivered.files.get(name), name)
}

export async function whyOtherBytes(
  bench: Bench,
  url: string,
  bytes: Buffer | undefined,
  name: string,
): Promise<string | null> {
  const fetched = await bench.get(url)
  if (fetched.kind === 'unreachable') return null
  if (fetched.status !== 200) return `the URL of ${name} answers HTTP ${fetched.status}`
  return bytes !== undefined && !fetched.bytes.equals(bytes) ? `the URL of ${name} serves other bytes` : null
}

/** The first file of an asset that is not served, in words, or null. */
export async function whyNotAllServed(bench: Bench, delivered: Delivered): Promise<string | null> {
  const refused = whyNotAccepted(delivered.answer)
  if (refused !== null) return refused
  for (const name of assetNames(delivered).filter((each) => delivered.files.has(each))) {
    const why = await whyNotServed(bench, delivered, name)
    if (why !== null) return why
  }
  return null
}

/**
 * Why a file whose name climbs out of its folder seems to have got out, or null. Its URL tells: it climbs as well, or
 * the file is not where it says. A backend that leaves such a file out has none.
 */
export async function whyEscaped(bench: Bench, url: string | undefined, bytes: Buffer): Promise<string | null> {
  if (url === undefined || whyNotPublic(url) !== null) return null
  const path = url.replace(/^https?:\/\/[^/]*/i, '').replace(/[?#].*$/s, '')
  const climbs = path.replace(/%2e/gi, '.').split('/').includes('..')
  return climbs ? 'its URL leads out of the folder' : whyOtherBytes(bench, url, bytes, 'it')
}
