import { bodyStart, isPacked, readPublic } from '@galley/platform'
import type { PublicAnswer, PublicReader } from '@galley/platform'
import type { Cause, CauseCode } from '@galley/wire'
import { cause } from '@galley/wire'

/** A file as fetched from its public URL: why it cannot be, or null, and Access-Control-Allow-Origin, which fonts need. */
interface PublicRead {
  readonly problem: Cause | null
  readonly allowedOrigin: string | null
}

/** The file that should be there: its first bytes and its type, and whether no server in between may convert it. */
interface ExpectedFile {
  readonly start: Buffer
  readonly type: string
  readonly isExact?: boolean
}

/** How long a server may send nothing. */
const publicStallMs = 15_000
/** How many bytes of a file to fetch. */
export const publicReadBytes = 1024

/** What a CDN keeps of a type when it converts media or shortens code; '' for files that it serves as they are. */
const convertedKind = (type: string): string =>
  /^(?:image|video|audio|text\/(?:css|javascript))\b/.exec(type)?.[0] ?? ''

/** What is wrong with an answer; null if it is the file, as far as this can be seen. */
async function wrongWith(
  { start, type, isExact = false }: ExpectedFile,
  { headers, body }: PublicAnswer,
): Promise<CauseCode | null> {
  const found = await bodyStart(body, publicReadBytes)
  // The range of a packed file may be that of its packed bytes, which stand for fewer or more.
  const isCut = isPacked(String(headers['content-encoding'])) && found.length > 0
  if (found.equals(isCut ? start.subarray(0, found.length) : start)) return null
  // A CDN may convert files, but keeps their kind. Any other answer does not have the file, such as a web page or an error in
  // JSON from a server that responds to every URL.
  const foundType = String(headers['content-type'])
  if (foundType.startsWith('text/html') && !type.startsWith('text/html')) return 'public_page'
  const kind = isExact ? '' : convertedKind(type)
  return kind === '' || convertedKind(foundType) !== kind ? 'public_different' : null
}

/** Fetches the first bytes of a public file as the service does, which follows no redirects. */
export async function readPublicMedia(
  url: string,
  expected: ExpectedFile,
  { origin, ...reader }: Omit<PublicReader, 'stallMs'> & { readonly origin?: string },
): Promise<PublicRead> {
  const headers = {
    range: `bytes=0-${publicReadBytes - 1}`,
    'accept-encoding': 'identity',
    ...(origin !== undefined && { origin }),
  }
  const take = async (answer: PublicAnswer) => ({
    wrong: await wrongWith(expected, answer),
    allowed: answer.headers['access-control-allow-origin'],
  })
  const asked = { headers, take, isRight: ({ wrong }: { readonly wrong: CauseCode | null }) => wrong === null }
  const read = await readPublic(url, asked, { ...reader, stallMs: publicStallMs })
  if (!read.ok) return { problem: read.failure.problem, allowedOrigin: null }
  const { wrong, allowed } = read.value
  return { problem: wrong && cause(wrong), allowedOrigin: typeof allowed === 'string' ? allowed : null }
}
