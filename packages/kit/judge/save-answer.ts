import type { Bench, Delivered } from '../drive/bench.ts'
import type { FetchResult } from '../drive/public-file.ts'
import { dataOf, whyNotAccepted } from '../protocol/answer.ts'
import type { Json } from '../protocol/exact-json.ts'
import { member, readExactly, stringIn } from '../protocol/exact-json.ts'
import type { ComparisonMode } from './difference.ts'
import { difference } from './difference.ts'
import { isSamePicture } from './pictures.ts'
import type { Finding } from './verdict.ts'

/**
 * Why this text is not a public URL, or null (contract, Terms and Errors 2). When the callback URL is public, the
 * service and all readers must be able to fetch media from outside.
 */
export function whyNotPublic(
  url: string | undefined,
  unreachableHosts: Delivered['unreachableHosts'] = new Set(),
): string | null {
  if (url === undefined) return 'no clientUrl'
  if (url === '') return 'an empty clientUrl'
  if (url.startsWith('dummy-')) return `a clientUrl that begins with dummy-`
  // Parsers of URLs drop these characters without a word.
  const hasBlanks = /^\s|\s$|[\t\r\n]/.test(url)
  if (hasBlanks || !/^https?:\/\//i.test(url) || !URL.canParse(url))
    return `${JSON.stringify(url.slice(0, 100))}, which is not an http URL`
  const { hostname, username, password, searchParams } = new URL(url)
  if (username !== '' || password !== '') return 'a clientUrl with a user name, from which browsers load no pictures'
  const expires = [...searchParams.keys()].some((key) => /^x-(?:amz|goog)-expires$/i.test(key))
  if (expires) return `"${url.slice(0, 100)}", which is signed for a limited time: seven days at most`
  return unreachableHosts.has(hostname) ? `"${url.slice(0, 100)}", whose host readers cannot reach` : null
}

/** The answered URL of a media file, or undefined. */
export const urlOf = (answer: Delivered['answer'], name: string): string | undefined =>
  stringIn(member(member(member(dataOf(answer, 'vms_json'), 'assets'), name), 'clientUrl'))

/** Asset names of a state. */
function namesIn(state: Json | undefined): readonly string[] {
  const assets = member(state, 'assets')
  return assets?.kind === 'object' ? assets.members.map(([name]) => name) : []
}

/** Asset names of the sent state. */
const assetNames = ({ stateText }: Delivered): readonly string[] => namesIn(readExactly(stateText) ?? undefined)

/** Asset names of the answered state. */
export const assetNamesIn = (answer: Delivered['answer']): readonly string[] => namesIn(dataOf(answer, 'vms_json'))

/** Why an asset in the answer has no public URL, or null. */
export function whyUrlsNotPublic(delivered: Delivered): string | null {
  const refused = whyNotAccepted(delivered.answer)
  if (refused !== null) return refused
  for (const name of assetNames(delivered)) {
    const why = whyNotPublic(urlOf(delivered.answer, name), delivered.unreachableHosts)
    if (why !== null) return `rc 1, and for ${name} ${why}`
  }
  return null
}

/** Why the answered state differs from the sent one in more than `assets[*].clientUrl`, or null. */
export function whyStateNotKept(delivered: Delivered, by: ComparisonMode['by'] = 'value'): string | null {
  const refused = whyNotAccepted(delivered.answer)
  if (refused !== null) return refused
  const got = dataOf(delivered.answer, 'vms_json')
  const sent = readExactly(delivered.stateText)
  if (got === undefined) return 'rc 1 without data.vms_json'
  if (got.kind !== 'object') return 'rc 1 with a data.vms_json that is not an object'
  if (sent === null) return null
  return difference(sent, got, { by, mayDiffer: mayChange(sent, got) })
}

/**
 * What a site may change in a state: the `clientUrl` of every asset, all of an asset that is no object and so has no
 * place for one, and `assets` itself where there was none and none is answered.
 */
function mayChange(sent: Json, got: Json): ComparisonMode['mayDiffer'] {
  const isEmpty = (json: Json | undefined): boolean =>
    (json?.kind === 'object' && json.members.length === 0) || (json?.kind === 'array' && json.items.length === 0)
  const isAddedEmpty = member(sent, 'assets') === undefined && isEmpty(member(got, 'assets'))
  return ([root, name, key, ...rest]) => {
    if (root !== 'assets' || rest.length > 0) return false
    if (name === undefined) return isAddedEmpty
    return key === undefined ? isNoObject(member(member(sent, 'assets'), name)) : key === 'clientUrl'
  }
}

/** Why a state is none of those that the site has answered, or null. Without an answered state nothing is known. */
export function whyNoneOf(answered: readonly (Json | null)[], state: Json): string | null {
  const isOne = answered.some(
    (each) => each === null || difference(each, state, { by: 'value', mayDiffer: mayChange(each, state) }) === null,
  )
  return isOne ? null : 'a state that the backend never returned for it'
}

const isNoObject = (asset: Json | undefined): boolean => asset !== undefined && asset.kind !== 'object'

/** Why an acceptance is incomplete, or null: every asset needs a public URL, and the state must be kept. */
export const whyNotComplete = ({ run }: Bench, delivered: Delivered): Finding =>
  whyUrlsNotPublic(delivered) ?? explainedBy(run, ['state-kept'], whyStateNotKept(delivered))

/** Returns this problem, or the failed case among `bases` that already reports it. */
export function explainedBy(
  { causes }: Pick<Bench['run'], 'causes'>,
  bases: readonly string[],
  problem: string | null,
) {
  const cause = problem === null ? undefined : bases.find((id) => causes.get(id) === id)
  return cause === undefined ? problem : { cause }
}

/** Explains why a file could not be fetched: the site's fault if it was reached before, else unknown. */
export const whyNotFetched = (
  { why, isSiteFault }: Extract<FetchResult, { kind: 'unreachable' }>,
  url: string,
): Finding =>
  isSiteFault
    ? `no file from ${new URL(url).origin}: ${why}`
    : { unchecked: `${new URL(url).origin} was not reached from here: ${why}` }

/** Why this status does not show whether the URL serves a file; null if it does. A busy site may serve it later. */
export const whyUndecided = (status: number): Finding =>
  status >= 500 || status === 429 ? { unchecked: `its URL answers HTTP ${status} at the moment` } : null

/** Why a URL does not serve these bytes, or a re-encoded version of the picture; null when it does. */
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
  if (!isSamePicture(bytes, fetched.bytes)) {
    const [got, sent] = [fetched.bytes.length, bytes.length]
    return `the URL of ${name} serves other bytes${got === sent ? '' : `: ${got} in place of ${sent}`}`
  }
  bench.note('images are encoded again, so only their size in pixels was compared')
  return null
}

/**
 * Describes the first asset whose file is not served; a file that could not be checked counts only if no other fails.
 */
export async function whyNotAllServed(bench: Bench, delivered: Delivered): Promise<Finding> {
  const refused = whyNotAccepted(delivered.answer)
  if (refused !== null) return refused
  let unknown: Finding = null
  for (const name of assetNames(delivered).filter((each) => delivered.files.has(each))) {
    const url = urlOf(delivered.answer, name)
    const notPublic = whyNotPublic(url, delivered.unreachableHosts)
    if (notPublic !== null || url === undefined) return `for ${name} ${notPublic ?? 'no clientUrl'}`
    const why = await whyOtherBytes(bench, url, delivered.files.get(name), name)
    if (typeof why === 'string') return why
    unknown ??= why
  }
  return unknown
}

/** The callback URL is no proof: a container or a forwarded port answers at it, too. */
export const unseenDisk = 'the disk of the backend cannot be seen without --same-disk'

/**
 * Why a file whose name escapes its folder seems to have been written outside, or null. Judged by its URL: the URL
 * escapes too, or does not serve the file. Files without a URL are judged by `entry-stays-inside`.
 */
export async function whyEscaped(bench: Bench, url: string | undefined, bytes: Buffer): Promise<Finding> {
  if (url === undefined || whyNotPublic(url) !== null)
    return bench.run.planted.isVisible ? null : { unchecked: `accepted without the file; ${unseenDisk}` }
  const path = url.replace(/^https?:\/\/[^/]*/i, '').replace(/[?#].*$/s, '')
  const climbs = path.replace(/%2e/gi, '.').split('/').includes('..')
  if (climbs) return 'its URL points outside the folder'
  const why = await whyOtherBytes(bench, url, bytes, 'it')
  return typeof why === 'string' ? explainedBy(bench.run, ['media-served'], why) : why
}
