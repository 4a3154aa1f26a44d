import { readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { b, soundArchives, soundEntries } from '../../tests/support/archives/accepted.ts'
import { hostileContents } from '../../tests/support/archives/hostile-contents.ts'
import { hostileEntries } from '../../tests/support/archives/hostile-entries.ts'
import { hostileStructure } from '../../tests/support/archives/hostile-structure.ts'
import { escapeMarker } from '../../tests/support/archives/hostile.ts'
import { aSave } from '../../tests/support/archives/sound.ts'
import { send, signed } from '../../tests/support/delivery.ts'
import { randomFrom } from '../../tests/support/random.ts'
import { sha256Of } from '../../tests/support/saves.ts'
import { aZip, type TestEntry } from '../../tests/support/zip.ts'
import { capture } from '../runtime/processes.ts'
import { projectRoot } from '../runtime/project.ts'
import { fsckProblems } from './support/checks.ts'
import { killed, onStage, type Listener, type Stage } from './support/stage.ts'
import { NotHeld, type Given, type Torture, type Verdict } from './torture.ts'

const deliveriesAtOnce = 4
const hangMs = 10_000
/** A short run takes every nth archive of the corpus. The tests of the archive reader take all. */
const shortShare = 4
const wholeCorpusFrom = 100
/** From this size on, the whole file system is searched for escaped files. */
const searchesAllFrom = 10_000

/** Archives that try to escape, to exhaust resources or to be ambiguous, and valid ones with changed bytes. */
export const archives: Torture = {
  name: 'archives',
  goal: 'G5',
  title: 'hostile archives and byte mutants: each ends as expected, nothing gets out, nothing hangs',
  unit: 'mutants',
  size: { long: 20_000, short: 60 },
  twins: {
    escapes: 'each save leaves a file beside the library',
    'any-checksum': 'bytes that do not fit their checksum are taken',
  },
  run: onStage(play),
}

interface Delivered {
  readonly ms: number
  readonly status: number
  readonly rc: number | undefined
  readonly code: string | undefined
  readonly rm: string | undefined
  readonly assets: Readonly<Record<string, { readonly clientUrl: string }>>
}

async function play(stage: Stage, given: Given): Promise<Verdict> {
  const { size, seed, patience, say } = given
  const listener = await stage.listen()
  const random = randomFrom(seed)
  const broken: string[] = []
  let [slowest, refused, whole] = [0, 0, 0]

  async function deliver(name: string, archive: Buffer): Promise<Delivered> {
    const answer = await delivered(stage, listener, name, archive)
    slowest = Math.max(slowest, answer.ms)
    if (answer.ms > hangMs * patience) broken.push(`${name}: answered after ${Math.round(answer.ms)} ms`)
    return answer
  }

  const share = size < wholeCorpusFrom ? shortShare : 1
  const hostile = [...hostileEntries, ...hostileStructure, ...hostileContents].filter((_, at) => at % share === 0)
  for (const { name, bytes, kind } of hostile) {
    const { rc, code } = await deliver(name, bytes())
    if (rc !== 0 || code !== kind) broken.push(`${name}: answered rc ${rc}, ${code} in place of ${kind}`)
  }
  const sound: readonly (readonly [string, Buffer])[] = [
    ...soundEntries.map(([name, entry]) => [name, aSave([entry])] as const),
    ...soundArchives.map(([name, archive]) => [name, aSave([b()], archive)] as const),
  ]
  const chosen = sound.filter((_, at) => at % share === 0)
  for (const [name, bytes] of chosen) {
    const { rc, code } = await deliver(`sound: ${name}`, bytes)
    if (rc !== 1) broken.push(`sound: ${name}: answered rc ${rc}, ${code}`)
  }
  say(`${hostile.length} hostile and ${chosen.length} sound archives, ${broken.length} broken`)

  const bases = [0, 1, 2].map(baseOf)
  for (const [form, { archive, hashes }] of bases.entries()) {
    const answer = await deliver(`base ${form}`, archive)
    if (answer.rc !== 1) throw new NotHeld(`What is to be mutated was answered ${answer.code}: ${answer.rm}`)
    broken.push(...(await otherBytes(listener, `base ${form}`, answer, hashes)))
  }
  let made = 0
  const mutate = async (): Promise<void> => {
    while (made < size && broken.length < 20) {
      made += 1
      const name = `mutant ${made}`
      const { archive, hashes } = bases[made % bases.length] ?? baseOf(0)
      const answer = await deliver(name, mutantOf(archive, random))
      if (answer.rc === 1) {
        whole += 1
        broken.push(...(await otherBytes(listener, name, answer, hashes)))
      } else if (['invalid_archive', 'content_too_large', 'missing_asset'].includes(answer.code ?? '')) refused += 1
      else broken.push(`${name}: answered ${answer.status}, rc ${answer.rc}, ${answer.code}`)
      if (made % 2_000 === 0) say(`${made} of ${size} mutants, ${whole} of them whole`)
    }
  }
  await Promise.all(Array.from({ length: deliveriesAtOnce }, mutate))

  // Some changes have no effect. If all were refused, something else was wrong with them.
  if (whole === 0) broken.push('no mutant was taken')
  const escaped = await escapes(given)
  broken.push(...escaped.map((path) => `something got out: ${path}`), ...(await fsckProblems(stage)))
  const staged = readdirSync(join(stage.library, 'staging'))
  if (staged.length > 0) broken.push(`${staged.length} folders were left in staging`)
  await killed(listener)
  const figures = {
    hostile: hostile.length,
    sound: chosen.length,
    mutants: made,
    refused,
    whole,
    escapes: escaped.length,
  }
  return { figures: { ...figures, 'slowest ms': Math.round(slowest) }, broken }
}

let deliveries = 0

async function delivered({ service }: Stage, { url }: Listener, name: string, archive: Buffer): Promise<Delivered> {
  deliveries += 1
  const id = `archive-${deliveries}`
  const contentUrl = service.put('media', id, archive)
  const payload = {
    event: 'article_saved',
    material_id: `post/${id}`,
    content_url: contentUrl,
    metadata: {},
    debug: false,
  }
  const { body, headers } = signed(service, payload)
  const began = performance.now()
  const answer = await send(`${url}/callback/acme`, 'POST', body, {
    'content-type': 'application/json',
    ...headers,
  }).catch((error: unknown) => Promise.reject(new Error(`${name}: the listener did not answer`, { cause: error })))
  const ms = performance.now() - began
  service.put('media', id, Buffer.alloc(0))
  const state = answer.json.data?.['vms_json'] as { assets?: Delivered['assets'] } | undefined
  return {
    ms,
    status: answer.status,
    rc: answer.json.rc,
    code: answer.json.code,
    rm: answer.json.rm,
    assets: state?.assets ?? {},
  }
}

/** A valid archive in one of three forms, and the hashes of its files. */
function baseOf(form: number): { readonly archive: Buffer; readonly hashes: ReadonlyMap<string, string> } {
  const files = new Map([
    ['stored.bin', Buffer.from('stored content')],
    ['deflated.txt', Buffer.from('deflated content '.repeat(20))],
    ['sub/long.bin', Buffer.alloc(200_000, 'long')],
    ['empty', Buffer.alloc(0)],
  ])
  const assets = Object.fromEntries(Array.from(files.keys(), (name) => [name, { clientUrl: `dummy-${name}` }]))
  const entries: TestEntry[] = [
    { name: 'vms_html.html', data: '<p>mutant</p>' },
    { name: 'vms_json.json', data: JSON.stringify({ assets }) },
    ...Array.from(files, ([name, data]): TestEntry => ({
      name: `vms_media/${name}`,
      data,
      method: name.startsWith('stored') ? 0 : 8,
      descriptor: form === 1 ? 'signed' : 'none',
      zip64: form === 2,
    })),
    { name: 'metadata_json.json', data: '{"webhook_auth_user":"u"}' },
  ]
  const archive = aZip(entries, { zip64: form === 2 })
  return { archive, hashes: new Map(Array.from(files, ([name, bytes]) => [name, sha256Of(bytes)])) }
}

/** Most get one changed byte; the others are truncated, spliced or overwritten. */
function mutantOf(archive: Buffer, random: () => number): Buffer {
  const upTo = (limit: number): number => Math.floor(random() * limit)
  const at = upTo(archive.length)
  const kind = upTo(10)
  if (kind < 7) {
    const mutant = Buffer.from(archive)
    mutant[at] = (mutant[at] ?? 0) ^ (1 + upTo(255))
    return mutant
  }
  if (kind === 7) return archive.subarray(0, at)
  const noise = Buffer.from(Array.from({ length: upTo(40) }, () => upTo(256)))
  const rest = archive.subarray(at + (kind === 8 ? 0 : upTo(40)))
  return Buffer.concat([archive.subarray(0, at), noise, rest])
}

/** An accepted archive contains exactly the bytes that were saved. */
async function otherBytes(
  { url }: Listener,
  name: string,
  { assets }: Delivered,
  hashes: ReadonlyMap<string, string>,
): Promise<readonly string[]> {
  const problems: string[] = []
  for (const [file, hash] of hashes) {
    const response = await fetch(url + new URL(assets[file]?.clientUrl ?? 'missing:').pathname)
    const found = sha256Of(Buffer.from(await response.arrayBuffer()))
    if (!response.ok || found !== hash) problems.push(`${name}: ${file} was taken with other bytes`)
  }
  return problems
}

/** Every file with the marker in its name, wherever this user can write. A short run searches the likely folders. */
async function escapes({ size, folder }: Given): Promise<readonly string[]> {
  const places =
    size >= searchesAllFrom ? [['/']] : [[folder], [projectRoot, '-maxdepth', '1'], [tmpdir(), '-maxdepth', '1']]
  const found: string[] = []
  for (const [place = '', ...depth] of places) {
    const { stdout } = await capture('find', [place, ...depth, '-xdev', '-name', `*${escapeMarker}*`])
    found.push(...stdout.split('\n').filter(Boolean))
  }
  return found
}
