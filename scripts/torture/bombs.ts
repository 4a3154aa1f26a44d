import { deflateRawSync, constants } from 'node:zlib'

import { media } from '../../tests/support/archives/hostile.ts'
import { aSave } from '../../tests/support/archives/sound.ts'
import { signed } from '../../tests/support/delivery.ts'
import { post } from '../../tests/support/saves.ts'
import { extraField } from '../../tests/support/zip.ts'
import { fsckProblems } from './support/checks.ts'
import { peaksOf } from './support/peaks.ts'
import { killed, onStage, type Stage } from './support/stage.ts'
import type { Given, Torture, Verdict } from './torture.ts'

const megabyte = 1024 ** 2
const memoryMbAtMost = 256
/** Beside the archive itself. */
const diskMbAtMost = 32
const answerLimitMs = 20_000

/** Archives that are small themselves and large, or costly, when they are unpacked. */
export const bombs: Torture = {
  name: 'bombs',
  goal: 'G6',
  title: 'ZIP bombs: refused with 256 MiB of memory and 32 MiB of disk at most, within 20 s',
  unit: 'rounds',
  size: { long: 10, short: 1 },
  twins: { 'any-length': 'content is unpacked to its end, however long it is' },
  run: onStage(play),
}

/** Deflated zeros, 64 MB in 64 KB each. */
function zeros(times: number): Buffer {
  const part = deflateRawSync(Buffer.alloc(64e6), { finishFlush: constants.Z_FULL_FLUSH })
  return Buffer.concat(Array.from({ length: times }, () => part))
}

/** An entry that declares this many megabytes. */
function declaring(name: string, megabytes: number) {
  const sizes = { size: megabytes * megabyte }
  return media(name, { local: sizes, central: sizes })
}

const kinds: readonly (readonly [string, () => Buffer])[] = [
  ['768 MB in a file of one byte', () => aSave([media('vms_media/b', { raw: zeros(12) })])],
  [
    '768 MB in a file of 1.5 MB',
    () => aSave([media('vms_media/b', { data: Buffer.alloc(1_500_000, 'x'), raw: zeros(12) })]),
  ],
  ['a file of 600 MB', () => aSave([declaring('vms_media/b', 600)])],
  ['1.2 GB in three files', () => aSave(['1', '2', '3'].map((name) => declaring(`vms_media/${name}`, 400)))],
  [
    'sizes beyond everything',
    () => aSave([media('vms_media/b', { zip64: true, central: { extra: extraField(1, Buffer.alloc(24, 0xff)) } })]),
  ],
  ['60,000 files', () => aSave([], { end: { entries: 60_000, here: 60_000 } })],
]

async function play(stage: Stage, given: Given): Promise<Verdict> {
  const { size, patience, say } = given
  const { service, library } = stage
  const listener = await stage.listen()
  const broken: string[] = []
  let [refused, slowest, memory, disk] = [0, 0, 0, 0]

  async function deliver(id: string, archive: Buffer) {
    const contentUrl = service.put('media', id, archive)
    const payload = { event: 'article_saved', material_id: `post/${id}`, content_url: contentUrl, metadata: {} }
    const answer = await post(listener.url, signed(service, { ...payload, debug: false }))
    service.put('media', id, Buffer.alloc(0))
    return answer
  }

  // The first save starts threads and loads code, whose memory is no bomb's.
  await deliver('warm', aSave())
  for (let round = 1; round <= size; round += 1) {
    for (const [at, [name, bytes]] of kinds.entries()) {
      const archive = bytes()
      const peaks = await peaksOf(listener, library, () => deliver(`bomb-${round}-${at}`, archive))
      const { rc, code } = peaks.value?.json ?? {}
      if (rc === 0 && (code === 'invalid_archive' || code === 'content_too_large')) refused += 1
      else broken.push(`${name}: answered rc ${rc}, ${code}`)
      const diskMb = peaks.diskMb - archive.length / megabyte
      if (diskMb > diskMbAtMost) broken.push(`${name}: took ${Math.round(diskMb)} MiB of disk`)
      if (peaks.memoryMb > memoryMbAtMost) broken.push(`${name}: took ${Math.round(peaks.memoryMb)} MiB of memory`)
      if (peaks.ms > answerLimitMs * patience) broken.push(`${name}: answered after ${Math.round(peaks.ms)} ms`)
      memory = Math.max(memory, peaks.memoryMb)
      disk = Math.max(disk, diskMb)
      slowest = Math.max(slowest, peaks.ms)
      say(
        `${name}: ${Math.round(peaks.ms)} ms, ${Math.round(peaks.memoryMb)} MiB of memory, ${Math.round(diskMb)} of disk`,
      )
    }
  }
  broken.push(...(await fsckProblems(stage)))
  await killed(listener)
  const figures = { refused, 'slowest ms': Math.round(slowest), 'MiB of memory more': Math.round(memory) }
  return { figures: { ...figures, 'MiB of disk more': Math.round(disk) }, broken }
}
