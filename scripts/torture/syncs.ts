import { dirname, join } from 'node:path'

import { randomFrom } from '../../tests/support/random.ts'
import { createSaves, post, type Sent } from '../../tests/support/saves.ts'
import { watched } from './support/points.ts'
import { killed, setStage } from './support/stage.ts'
import { namedPaths, openPath, traceable, type Call } from './support/trace.ts'
import { NotHeld, type Given, type Torture, type Verdict } from './torture.ts'

/** A power failure loses what was not synced: reads the order of syncs from the system calls of a save. */
export const syncs: Torture = {
  name: 'syncs',
  goal: 'G3',
  title:
    'the system calls of a save: files synced, then their folders, then the log, and only then the first byte of the answer',
  unit: 'saves of each kind',
  size: { long: 20, short: 1 },
  needs: ['trace'],
  twins: {
    'no-file-syncs': 'files are never synced',
    'no-folder-syncs': 'folders are never synced',
    'no-log-syncs': 'neither the log nor the database is ever synced',
  },
  run,
}

const kinds = ['article', 'fonts', 'article published to a folder'] as const

async function run(given: Given): Promise<Verdict> {
  const broken: string[] = []
  let [files, folders] = [0, 0]
  const shown = join(given.folder, 'public')
  const publish = ['--publish', `folder:${shown}`, '--public-url', 'http://127.0.0.1:1/']
  const usual = await setStage(given)
  const published = await setStage(given, { name: 'publishing', site: publish })
  for (const kind of kinds) {
    const stage = kind === 'article published to a folder' ? published : usual
    const { prepare } = createSaves(stage.service, randomFrom(given.seed), { sizes: [3_000, 70_000, 200_000] })
    const next = (): Sent => (kind === 'fonts' ? prepare('fonts', 'site-fonts') : prepare('media', 'post/one'))
    const listener = await stage.listen(traceable)
    const warm = await post(listener.url, prepare('media', 'post/warm'))
    if (warm?.json.rc !== 1) throw new NotHeld(`A save was answered ${warm?.text}`)
    for (let at = 0; at < given.size; at += 1) {
      const { calls, answer } = await watched(given, listener, next())
      if (answer?.json.rc !== 1) throw new NotHeld(`The watched save was answered ${answer?.text}`)
      const order = readOrder(calls, [stage.library, shown])
      files += order.files
      folders += order.folders
      broken.push(...order.problems.map((problem) => `${kind}: ${problem}`))
    }
    given.say(`${kind}: ${files} files in ${folders} folders so far, ${broken.length} broken`)
    await killed(listener)
  }
  return { figures: { saves: kinds.length * given.size, files, 'folder syncs': folders }, broken }
}

interface Order {
  readonly files: number
  readonly folders: number
  readonly problems: readonly string[]
}

const isSync = ({ name, result }: Call): boolean => /^f(?:data)?sync$/.test(name) && result === '0'
const isWrite = ({ name }: Call): boolean => /^(?:p?writev?|pwrite64|copy_file_range|ftruncate)$/.test(name)
const isMove = ({ name, result }: Call): boolean => /^(?:rename(?:at2?)?|link(?:at)?)$/.test(name) && result === '0'
const isAnswer = (call: Call): boolean => call.arguments.includes('"HTTP/1.1 200')
const last = (calls: readonly Call[]): Call | undefined =>
  calls.reduce<Call | undefined>((one, other) => (one && one.endedAt > other.endedAt ? one : other), undefined)

/** Checks the calls of one save that was answered with `rc` 1, as far as they concern paths below these folders. */
function readOrder(all: readonly Call[], roots: readonly string[]): Order {
  const problems: string[] = []
  const answer = all.find(isAnswer)
  if (answer === undefined) return { files: 0, folders: 0, problems: ['no answer was seen'] }
  const before = all.filter(({ endedAt }) => endedAt < answer.beganAt)
  const short = (path: string): string => roots.reduce((text, root) => text.replace(root, ''), path)
  const isOurs = (path: string): boolean => roots.some((root) => path.startsWith(`${root}/`))
  const synced = before.filter(isSync)
  const syncsOf = (path: string): readonly Call[] => synced.filter((call) => openPath(call) === path)

  const moves = before.filter(isMove).map((call) => ({ call, paths: namedPaths(call) }))
  const placed = moves.filter(({ paths: [, to = ''] }) => isOurs(to))
  const folderSyncs = new Set<Call>()
  for (const { call, paths } of placed) {
    const [from = '', to = ''] = paths
    const written = last(before.filter((one) => isWrite(one) && openPath(one) === from))
    if (!syncsOf(from).some((sync) => sync.endedAt < call.beganAt && sync.beganAt > (written?.endedAt ?? -1))) {
      problems.push(`${short(to)} has its place before its bytes are synced`)
    }
    const folder = syncsOf(dirname(to)).find(({ beganAt }) => beganAt > call.endedAt)
    if (folder === undefined) problems.push(`the folder of ${short(to)} is not synced before the answer`)
    else folderSyncs.add(folder)
  }
  const homes = new Set(placed.map(({ paths: [, to = ''] }) => dirname(to)))
  for (const call of before.filter(({ name, result }) => name === 'mkdir' && result === '0')) {
    const [made = ''] = namedPaths(call)
    const isHome = Array.from(homes).some((home) => `${home}/`.startsWith(`${made}/`))
    if (isHome && !syncsOf(dirname(made)).some(({ beganAt }) => beganAt > call.endedAt)) {
      problems.push(`the folder ${short(made)} is new, and the one that holds it is not synced`)
    }
  }
  if (placed.length === 0) problems.push('no file was placed')

  // With a log, its files are checked; otherwise those of the database.
  const writes = before.filter((call) => isWrite(call) && isOurs(openPath(call) ?? ''))
  const logged = writes.filter((call) => /\/log\/[^/]+\.jsonl$/.test(openPath(call) ?? ''))
  const commits = logged.length > 0 ? logged : writes.filter((call) => (openPath(call) ?? '').endsWith('index.db-wal'))
  const commit = last(commits)
  const path = commit && openPath(commit)
  const end = commit && syncsOf(path ?? '').find(({ beganAt }) => beganAt > commit.endedAt)
  if (!commit || !path) problems.push('nothing was committed before the answer')
  else if (!end) problems.push(`${short(path)} is not synced between its last change and the answer`)
  else if (Array.from(folderSyncs).some((sync) => sync.endedAt > end.beganAt)) {
    problems.push(`${short(path)} is synced before the folders of what it names`)
  }
  const created = before.filter((call) => call.name === 'openat' && call.arguments.includes('O_CREAT'))
  for (const file of created.flatMap(namedPaths).filter((one) => /\/log\/[^/]+\.jsonl$/.test(one) && isOurs(one))) {
    if (syncsOf(dirname(file)).length === 0) problems.push(`the folder of ${short(file)}, which is new, is not synced`)
  }
  return { files: placed.length, folders: folderSyncs.size, problems }
}
