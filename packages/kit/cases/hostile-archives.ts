import { deflateRawSync } from 'node:zlib'

import { picture } from '../archives/sample-files.ts'
import type { Entry } from '../archives/zip.ts'
import type { Bench } from '../drive/bench.ts'
import { assetsOf } from '../drive/prepare.ts'
import type { FetchResult } from '../drive/public-file.ts'
import { refused } from '../judge/common-verdicts.ts'
import { explainedBy, urlOf, whyEscaped, whyNotFetched, whyNotPublic, whyUndecided } from '../judge/save-answer.ts'
import type { Finding, Verdict } from '../judge/verdict.ts'
import { verdict } from '../judge/verdict.ts'
import { isAccepted, whyNotRefused, describeAnswer } from '../protocol/answer.ts'
import type { Case, Severity, Theme } from '../suite/case.ts'
import { advice, listener } from '../suite/case.ts'
import { staysInside } from './hostile-archives/stays-inside.ts'

const contained = 'refused, left out, or served under its own URL'

/** A state with these assets. A backend that silently drops such a file cannot give it a public URL. */
const stateWith = (...names: readonly string[]): string => JSON.stringify({ assets: assetsOf(names) })

/** A media file whose name escapes its folder: the backend may refuse it, skip it, or store it inside the folder. */
const climbing = (id: string, name: string, file: string): Case => ({
  id,
  name,
  rule: advice('a backend that uses the names in an archive as paths writes wherever the sender wants'),
  severity: 'unsafe',
  dependsOn: 'entry-stays-inside',
  run: async (bench) => {
    const data = picture(bench.run.fresh())
    const entry: Entry = { name: `vms_media/${file}`, data, isStored: true }
    const { answer } = await bench.save({ files: {}, state: stateWith(file), entries: (all) => [...all, entry] })
    if (!isAccepted(answer)) return verdict(contained, whyNotRefused(answer), describeAnswer(answer))
    return verdict(contained, await whyEscaped(bench, urlOf(answer, file), data), describeAnswer(answer))
  },
})

/** A file name that no valid archive contains, in an otherwise valid archive. */
const suspicious = (id: string, name: string, entry: string): Case => ({
  id,
  name,
  rule: listener('archive unsafe: rc 0, invalid_archive'),
  severity: 'unwise',
  dependsOn: id === 'entry-climbs-refused' ? 'entry-stays-inside' : 'entry-climbs-refused',
  run: async (bench) => refused(bench, await bench.save({ entries: (all) => [...all, { name: entry, data: 'evil' }] })),
})

/** An archive that expands to far more than its size, but is small enough to unpack safely. */
const costly = (id: string, name: string, entries: () => readonly Entry[], severity: Severity = 'unsafe'): Case => ({
  id,
  name,
  rule: listener('over a size limit (compressed, unpacked, entries): rc 0'),
  severity,
  run: async (bench) => refused(bench, await bench.save({ files: {}, entries: (all) => [...all, ...entries()] })),
})

/** An entry that is not a regular file: refused, skipped, or stored with the few bytes it contains. */
const special = (id: string, name: string, mode: number): Case => ({
  id,
  name,
  rule: listener('archive unsafe: rc 0, invalid_archive'),
  severity: 'unsafe',
  dependsOn: 'client-urls-set',
  run: async (bench) => linkVerdict(bench, mode),
})

/** Why this URL serves more than the text of the entry, or null. */
function whyOtherText(fetched: FetchResult, url: string, text: string): Finding {
  if (fetched.kind === 'unreachable') return whyNotFetched(fetched, url)
  if (fetched.status !== 200) return whyUndecided(fetched.status)
  return fetched.bytes.toString() === text ? null : 'its URL serves something else'
}

async function linkVerdict(bench: Bench, mode: number): Promise<Verdict> {
  const expected = 'refused, left out, or no more than the text of the entry made public'
  const target = '/etc/hostname'
  const entry: Entry = { name: 'vms_media/link.png', data: target, isStored: true, attributes: mode * 65536 }
  const { answer } = await bench.save({ files: {}, state: stateWith('link.png'), entries: (all) => [...all, entry] })
  if (!isAccepted(answer)) return verdict(expected, whyNotRefused(answer), describeAnswer(answer))
  const url = urlOf(answer, 'link.png')
  if (url === undefined || whyNotPublic(url) !== null) return verdict(expected, null, 'left out')
  const fetched = await bench.get(url)
  const why = whyOtherText(fetched, url, target)
  const alone = typeof why === 'string' ? explainedBy(bench.run, ['media-served'], why) : why
  return verdict(expected, alone, describeAnswer(answer))
}

/** Made once for all runs of a process. */
let bomb: Buffer | null = null

export const hostileArchives: Theme = {
  title: 'Hostile archives',
  dependsOn: 'save-accepted',
  cases: [
    staysInside,
    climbing('entry-climbs', 'A file with .. in its name stays in its folder', '../../conformance-evil.png'),
    climbing(
      'entry-climbs-within',
      'A file in a subfolder with .. in its name stays in its folder',
      'a/../../../conformance-evil.png',
    ),
    climbing(
      'entry-encoded',
      'A file with percent-encoded .. in its name stays in its folder',
      '%2e%2e/%2e%2e/conformance-evil.png',
    ),
    suspicious(
      'entry-climbs-refused',
      'An archive with .. in a name is refused',
      'vms_media/../../conformance-evil.png',
    ),
    suspicious(
      'entry-climbs-first',
      'An archive with a name that begins with ../ is refused',
      '../conformance-evil.png',
    ),
    suspicious('entry-absolute', 'An archive with an absolute name is refused', '/tmp/conformance-evil.png'),
    suspicious('entry-drive', 'An archive with a drive letter in a name is refused', 'C:/conformance-evil.png'),
    suspicious(
      'entry-backslash',
      'An archive with a backslash in a name is refused',
      'vms_media\\..\\conformance-evil.png',
    ),
    suspicious('entry-nul', 'An archive with a NUL in a name is refused', 'vms_media/conformance-evil.png\0.txt'),
    suspicious(
      'entry-controls',
      'An archive with control characters in a name is refused',
      'vms_media/\u001b[2Jconformance\n-evil.png',
    ),
    special('entry-symlink', 'A symbolic link is not followed', 0o120777),
    special('entry-device', 'A device file is not created', 0o020666),
    costly('bomb-lying', 'A file that declares 100 bytes and unpacks to 32 MB is refused', () => [
      { name: 'vms_media/bomb.bin', data: 'x'.repeat(100), raw: (bomb ??= deflateRawSync(Buffer.alloc(32_000_000))) },
    ]),
    costly('bomb-overlap', 'Many names for one content are refused', () => [
      { name: 'vms_media/shared-0.bin', data: Buffer.alloc(500_000) },
      ...Array.from({ length: 60 }, (_, at) => ({
        name: `vms_media/shared-${at + 1}.bin`,
        isAlias: true,
      })),
    ]),
    costly(
      'bomb-announced',
      'A file that declares 3 GB is refused',
      () => [{ name: 'vms_media/huge.bin', data: 'x', says: { sizeBytes: 3_000_000_000 } }],
      'unwise',
    ),
  ],
}
