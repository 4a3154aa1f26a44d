import type { Finding } from './verdict.ts'
import type { Bench, Delivered } from '../drive/bench.ts'
import type { Fetched } from '../drive/public-file.ts'
import { dataOf, whyNotAccepted } from '../protocol/answer.ts'
import type { Closeness } from './difference.ts'
import { difference } from './difference.ts'
import type { Json } from '../protocol/exact-json.ts'
import { member, readExactly, stringIn } from '../protocol/exact-json.ts'
import { isInternalHost } from '../protocol/hosts.ts'
import { isSamePicture } from './pictures.ts'

/**
 * Why this text is not a public URL, or null (contract, Terms and Errors 2). Of a site whose callback URL is public the
 * service, and every reader of its pages, fetches media from outside.
 */
export function whyNotPublic(url: string | undefined, isPublicSite = false): string | null {
  if (url === undefined) return 'no clientUrl'
  if (url === '') return 'an empty clientUrl'
  if (url.startsWith('dummy-')) return `a clientUrl that begins with dummy-`
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) return `"${url.slice(0, 100)}", which is no http address`
  const { hostname } = new URL(url)
  return isPublicSite && isInternalHost(hostname) ? `"${url.slice(0, 100)}", whose host no reader reaches` : null
}

/** The answered URL of a media file, or undefined. */
export const urlOf = (answer: Delivered['answer'], name: string): string | undefined =>
  stringIn(member(member(member(dataOf(answer, 'vms_json'), 'assets'), name), 'clientUrl'))

/** Names in `assets` of a state. */
function namesIn(state: Json | undefined): readonly string[] {
  const assets = member(state, 'assets')
  return assets?.kind === 'object' ? assets.members.map(([name]) => name) : []
}

/** Names in `assets` of the state that was sent. */
const assetNames = ({ stateText }: Delivered): readonly string[] => namesIn(readExactly(stateText) ?? undefined)

/** Names in `assets` of the answered state. */
export const assetNamesIn = (answer: Delivered['answer']): readonly string[] => namesIn(dataOf(answer, 'vms_json'))

/** Why not every asset of the answer has a public URL, or null. */
export function whyUrlsNotPublic(delivered: Delivered): string | null {
  const refused = whyNotAccepted(delivered.answer)
  if (refused !== null) return refused
  for (const name of assetNames(delivered)) {
    const why = whyNotPublic(urlOf(delivered.answer, name), delivered.isPublicSite)
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

/** Why an acceptance is not whole, or null: every asset with a public URL, and the state kept. */
export const whyNotComplete = ({ run }: Bench, delivered: Delivered): Finding =>
  whyUrlsNotPublic(delivered) ?? sameAs(run, ['state-kept'], whyStateNotKept(delivered))

/** This problem, unless one of these cases has failed: then it is theirs, and told once. */
export function sameAs({ causes }: Pick<Bench['run'], 'causes'>, bases: readonly string[], problem: string | null) {
  const cause = problem === null ? undefined : bases.find((id) => causes.get(id) === id)
  return cause === undefined ? problem : { cause }
}

/** What it says that a file could not be fetched: a lack of the site that was reached before, or of where the kit runs. */
export const whyNotFetched = ({ why, isTheirs }: Extract<Fetched, { kind: 'unreachable' }>, url: string): Finding =>
  isTheirs
    ? `no file from ${new URL(url).origin}: ${why}`
    : { unchecked: `${new URL(url).origin} was not reached from here: ${why}` }

/** Why a URL does not serve these bytes, or the same picture encoded anew, or null. */
export async function whyOtherBytes(
  bench: Bench,
  url: string,
  bytes: Buffer | undefined,
  name: string,
): Promise<Finding> {
  const fetched = await bench.get(url)
  if (fetched.kind === 'unreachable') return whyNotFetched(fetched, url)
  if (fetched.status !== 200) return `the URL of ${name} answers HTTP ${fetched.status}`
  if (bytes === undefined || fetched.bytes.equals(bytes)) return null
  if (!isSamePicture(bytes, fetched.bytes)) return `the URL of ${name} serves other bytes`
  bench.note('images are encoded anew, and were compared by their size in pixels')
  return null
}

/** The first file of an asset that is not served, in words; what could not be checked only if no other is worse. */
export async function whyNotAllServed(bench: Bench, delivered: Delivered): Promise<Finding> {
  const refused = whyNotAccepted(delivered.answer)
  if (refused !== null) return refused
  let unknown: Finding = null
  for (const name of assetNames(delivered).filter((each) => delivered.files.has(each))) {
    const url = urlOf(delivered.answer, name)
    const notPublic = whyNotPublic(url, delivered.isPublicSite)
    if (notPublic !== null || url === undefined) return `for ${name} ${notPublic ?? 'no clientUrl'}`
    const why = await whyOtherBytes(bench, url, delivered.files.get(name), name)
    if (typeof why === 'string') return why
    unknown ??= why
  }
  return unknown
}

/**
 * Why a file whose name climbs out of its folder seems to have got out, or null. Its URL tells: it climbs as well, or
 * the file is not where it says. Of one without a URL `entry-stays-inside` says where it is not.
 */
export async function whyEscaped(bench: Bench, url: string | undefined, bytes: Buffer): Promise<Finding> {
  if (url === undefined || whyNotPublic(url) !== null)
    return bench.run.planted.isVisible ? null : { unchecked: 'accepted without the file; the disk is out of sight' }
  const path = url.replace(/^https?:\/\/[^/]*/i, '').replace(/[?#].*$/s, '')
  const climbs = path.replace(/%2e/gi, '.').split('/').includes('..')
  return climbs ? 'its URL leads out of the folder' : whyOtherBytes(bench, url, bytes, 'it')
}
