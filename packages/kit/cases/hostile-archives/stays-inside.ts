import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

import { picture } from '../../archives/sample-files.ts'
import type { Bench, Delivered } from '../../drive/bench.ts'
import { unseenDisk, urlOf, whyUndecided } from '../../judge/save-answer.ts'
import { verdict } from '../../judge/verdict.ts'
import { isAccepted, describeAnswer } from '../../protocol/answer.ts'
import type { Case } from '../../suite/case.ts'
import { advice } from '../../suite/case.ts'

/** Deeper than any folder, so the path reaches the root from wherever the archive is unpacked. */
const toTheRoot = '../'.repeat(24)

/** The names that one archive uses for a file, given a target on a disk that the kit can read. */
const ways: readonly (readonly [what: string, names: (target: string, file: string) => readonly string[]])[] = [
  ['a name in vms_media/ with ..', (target) => [`vms_media/${toTheRoot}${target}`]],
  ['a name that begins with ../', (target) => [`${toTheRoot}${target}`]],
  ['an absolute name', (target) => [`/${target}`]],
  [
    'a name that leaves a few folders',
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

/** A planted file and the URL of a valid one. */
interface Planted {
  readonly file: string
  readonly bytes: Buffer
  readonly sound: string | undefined
}

/**
 * Where a planted file is found, on the local disk or under a URL above that of a valid file, and the URLs that could not
 * be read.
 */
async function search(
  bench: Bench,
  { file, bytes, sound }: Planted,
): Promise<{ readonly found: string | null; readonly unread: readonly string[] }> {
  const { folder } = bench.run.planted
  const onDisk = (await readdir(folder)).includes(file)
  if (onDisk) return { found: join(folder, file), unread: [] }
  const unread: string[] = []
  for (const above of sound === undefined || !URL.canParse(sound) ? [] : foldersAbove(sound)) {
    const fetched = await bench.get(above + file)
    if (fetched.kind === 'unreachable' || whyUndecided(fetched.status) !== null) unread.push(above + file)
    else if (fetched.status === 200 && fetched.bytes.equals(bytes)) return { found: above + file, unread }
  }
  return { found: null, unread }
}

const firstUrl = ({ answer, files }: Delivered): string | undefined => urlOf(answer, [...files.keys()][0] ?? '')

/** Plants files whose names escape every folder, then checks the target paths, whatever the backend answered. */
export const staysInside: Case = {
  id: 'entry-stays-inside',
  name: 'No file of an archive is written outside its folder',
  rule: advice('a backend that uses the names in an archive as paths writes wherever the sender wants'),
  severity: 'unsafe',
  run: async (bench) => {
    const expected = 'nothing where the names point'
    const { folder, isVisible } = bench.run.planted
    const sound = firstUrl(await bench.save())
    let accepted = 0
    const unread: string[] = []
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
      const seen = await search(bench, { file, bytes, sound })
      if (seen.found !== null)
        return verdict(expected, `${what} was followed: the file is now ${seen.found}; ${describeAnswer(answer)}`)
      unread.push(...seen.unread)
    }
    const answers = `${accepted} of ${ways.length} such archives were accepted`
    // A backend may write first and refuse then, so a refusal proves nothing about its disk.
    if (!isVisible) return verdict(expected, { unchecked: `${answers}, and ${unseenDisk}` })
    const [lost] = unread
    if (lost !== undefined) return verdict(expected, { unchecked: `${answers}, and ${lost} could not be read` })
    return verdict(expected, null, accepted === 0 ? 'refused' : 'accepted, and nothing is where the names point')
  },
}
