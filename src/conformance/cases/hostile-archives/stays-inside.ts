import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

import { picture } from '../../archives/sample-files.ts'
import type { Case } from '../../suite/case.ts'
import { advice } from '../../suite/case.ts'
import { verdict } from '../../judge/verdict.ts'
import type { Bench, Delivered } from '../../drive/bench.ts'
import { isAccepted, describeAnswer } from '../../protocol/answer.ts'
import { urlOf } from '../../judge/save-answer.ts'

/** Deeper than any folder, so the path reaches the root from wherever the archive is unpacked. */
const toTheRoot = '../'.repeat(24)

/** The names that one archive uses for a file, given a target on a disk that the kit can read. */
const ways: readonly (readonly [what: string, names: (target: string, file: string) => readonly string[]])[] = [
  ['a name in vms_media/ that climbs', (target) => [`vms_media/${toTheRoot}${target}`]],
  ['a name that begins with ../', (target) => [`${toTheRoot}${target}`]],
  ['an absolute name', (target) => [`/${target}`]],
  [
    'a name that climbs a few folders',
    (_, file) => ['vms_media/../', 'vms_media/../../', '../'].map((up) => up + file),
  ],
]

/** The parent folders of a URL, each with a trailing slash. */
function foldersAbove(url: string): readonly string[] {
  const { origin, pathname } = new URL(url)
  const parts = pathname.split('/').slice(1, -1)
  return parts.map(
    (_, at) =>
      `${origin}/${parts
        .slice(0, at)
        .map((part) => `${part}/`)
        .join('')}`,
  )
}

/** Where a planted file is found, or null: on the local disk, or under a URL above that of a valid file. */
async function whereFound(
  bench: Bench,
  file: string,
  bytes: Buffer,
  sound: string | undefined,
): Promise<string | null> {
  const { folder } = bench.run.planted
  const onDisk = (await readdir(folder)).includes(file)
  if (onDisk) return join(folder, file)
  for (const above of sound === undefined || !URL.canParse(sound) ? [] : foldersAbove(sound)) {
    const fetched = await bench.get(above + file)
    if (fetched.kind === 'file' && fetched.status === 200 && fetched.bytes.equals(bytes)) return above + file
  }
  return null
}

const firstUrl = ({ answer, files }: Delivered): string | undefined => urlOf(answer, [...files.keys()][0] ?? '')

/** Plants files whose names escape every folder, then checks the target paths, whatever the backend answered. */
export const staysInside: Case = {
  id: 'entry-stays-inside',
  name: 'No file of an archive is written outside the folder it belongs to',
  rule: advice('whoever unpacks by the names in an archive writes where its sender wants'),
  severity: 'unsafe',
  run: async (bench) => {
    const expected = 'nothing where the names lead'
    const { folder, isVisible } = bench.run.planted
    const sound = firstUrl(await bench.save())
    let accepted = 0
    for (const [what, names] of ways) {
      const file = `conformance-evil-${bench.run.fresh()}.png`
      const bytes = picture(file)
      const target = join(folder, file)
        .replace(/^[A-Za-z]:/, '')
        .replaceAll('\\', '/')
        .slice(1)
      const more = names(target, file).map((name) => ({ name, data: bytes, isStored: true }))
      const { answer } = await bench.save({ entries: (all) => [...all, ...more] })
      if (isAccepted(answer)) accepted++
      const found = await whereFound(bench, file, bytes, sound)
      if (found !== null)
        return verdict(expected, `${what} was followed: the file is now ${found}; ${describeAnswer(answer)}`)
    }
    if (accepted === 0) return verdict(expected, null, 'refused')
    const reason = `${accepted} of ${ways.length} such archives were accepted, and the disk of the backend cannot be seen from here`
    return verdict(
      expected,
      isVisible ? null : { unchecked: reason },
      'accepted, and nothing lies where the names lead',
    )
  },
}
