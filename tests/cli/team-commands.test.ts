import { cp, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'

import { aFreePort } from '../support/free-port.ts'
import type { Ran } from '../support/galley-process.ts'
import { aTeam } from '../support/team.ts'
import { aFontsSave, send, temporaryFolder } from '../support/test-galley.ts'
import { galley, startListen } from './support/cli.ts'

/**
 * Every command, on a library in a folder and on members of a team with the same content: one that may write, one whose
 * keys may only read, and one whose bucket cannot be reached.
 */
const kinds = ['folder', 'away', 'reader', 'member'] as const
type Kind = (typeof kinds)[number]

/** An exit code, or the code of a failure, which exits with 1. */
type End = number | string

interface Line {
  readonly args: string
  /** How it ends in a folder: 0 unless given. */
  readonly folder?: End
  /** How it ends elsewhere: as in a folder unless given. */
  readonly member?: End
  readonly reader?: End
  readonly away?: End
}

const lines = (...args: readonly string[]): readonly Line[] => args.map((each) => ({ args: each }))
const away = 'storage_failed'
const noWrites = { reader: 'storage_failed', away }
const noDeletions = { reader: 'team_read_only', away }

const reading: readonly Line[] = [
  ...lines('site list', 'site show acme', 'site check acme', 'site publishing acme', 'materials acme'),
  ...lines('versions acme post-1', 'show version acme post-1 v1', 'show version acme post-1 v1 --html'),
  ...lines('show version acme post-1 v1 --state', 'show version acme post-1 v1 --metadata'),
  ...lines(
    'show version acme post-1 v1 --media',
    'fonts acme',
    'callbacks --outcome stored',
    'callbacks show CALLBACK',
  ),
  ...lines('callbacks replay CALLBACK --dry-run', 'page acme post-1', 'target list acme', 'linkcheck acme', 'fsck'),
  ...lines('search text', 'backup OUT/backup', 'restore OUT/backup --library OUT/restored'),
  { args: 'rehearse acme', folder: 1 },
  // Its media are at the listener.
  { args: 'site republish acme', folder: 2 },
  { args: 'site show nobody', folder: 'unknown_site' },
  { args: 'show version acme post-1 nothing', folder: 'unknown_version' },
  { args: 'comment list acme post-1' },
  { args: 'comment add acme post-1 --quote nowhere --by Ida --text Why', folder: 'quote_not_found' },
  { args: 'comment answer nothing --by Ida --text Why', folder: 'unknown_comment' },
  { args: 'comment resolve nothing', folder: 'unknown_comment' },
  { args: 'comment reopen nothing', folder: 'unknown_comment' },
  { args: 'callbacks show nothing', folder: 'unknown_callback' },
  { args: 'releases acme', folder: 'unknown_target' },
  { args: 'materials', folder: 2 },
  { args: 'prune --keep-versions 1 --dry-run' },
  { args: 'material delete acme post-2 --dry-run' },
  // They count what is in the bucket.
  { args: 'gc --dry-run', away },
  { args: 'erase editor@example.test --dry-run', away },
]

/** What people set on records waits for the bucket. */
const waits = { reader: 'storage_failed', away: 0 }

const writing: readonly Line[] = [
  { args: 'site add acme --name Other', ...noWrites },
  { args: 'site publishing acme --language de', ...noWrites },
  { args: 'open acme post-3 --title Third', ...noWrites },
  { args: 'page acme post-1 --slug first', ...noWrites },
  // The answer is the replay's, which says that nothing was stored.
  { args: 'callbacks replay CALLBACK' },
  { args: 'callbacks dismiss CALLBACK' },
  // An export is made without the bucket too; the publication moment is recorded by the next one that can.
  ...lines('export acme --out OUT/site', 'export acme --out OUT/site --verify', 'export acme --out OUT/site.zip'),
  ...lines(
    'evidence acme post-1 v1 --out OUT/page.zip',
    'wacz acme post-1 v1 --out OUT/page.wacz',
    'report acme post-1 v1 --out OUT/page.html',
  ),
  { args: 'target add acme live s3:web/acme --endpoint http://127.0.0.1:9', ...noWrites },
  { args: 'target check acme live', folder: 1, away: 'unknown_target' },
  // Each computer confirms the targets that others add.
  { args: 'publish acme --dry-run', folder: 'target_failed', reader: 'target_unconfirmed', away: 'unknown_target' },
  { args: 'publish acme', folder: 'target_failed', reader: 'target_unconfirmed', away: 'unknown_target' },
  { args: 'target remove acme live', reader: 'storage_failed', away: 'unknown_target' },
  { args: 'target add acme shelf folder:/srv/www', member: 2, reader: 2, away: 2 },
  { args: 'material archive acme post-2', ...waits },
  { args: 'material unarchive acme post-2', ...waits },
  { args: 'rename acme post-1 --title Harbour', ...waits },
  { args: 'ignore acme post-1 --quote Noon', ...waits },
  ...['mark acme post-1 v1 --pin', 'mark acme post-1 v1 --unpin'].map((args) => ({ args, ...waits })),
  ...lines('review queue acme', 'review history acme post-1', 'compare acme post-1', 'rules acme'),
  ...lines('site webhook acme', 'webhook deliveries acme'),
  { args: 'webhook resend nothing', folder: 'unknown_delivery' },
  { args: 'site webhook acme https://hooks.example/', ...noWrites },
  { args: 'review approve acme post-1 --by Ida', ...waits },
  { args: 'review request acme post-1 --by Ida --reason quay', ...waits },
  { args: 'review clear acme post-1 --by Ida', ...waits },
  { args: 'rules acme --unknown accept', ...noWrites },
  { args: 'pause acme --reason quay', ...noWrites },
  { args: 'resume acme', ...noWrites },
  { args: 'prune --keep-versions 1', ...noDeletions },
  { args: 'material delete acme post-2', ...noDeletions },
  { args: 'gc', ...noDeletions },
  { args: 'gc --empty-lost-and-found', ...noDeletions },
  { args: 'erase editor@example.test', ...noDeletions },
  ...lines('fsck --repair', 'rebuild', 'rebuild --from log'),
  { args: 'rebuild --from index', member: 'team_unsupported', reader: 'team_unsupported', away: 'team_unsupported' },
  { args: 'site remove acme', ...noWrites },
]

/** These use no library of their own, or run until they are stopped; `team` has tests of its own. */
const others = new Set(['emulator', 'conformance', 'demo', 'listen', 'preview', 'doctor', 'completion', 'manual'])

const endOf = ({ code, json }: Ran): End => (code === 1 ? (failureOf(json())?.code ?? 1) : (code ?? 'killed'))

const failureOf = (json: unknown) => (json as { error?: { code: string; message: string } }).error

/** The names and types of a value. Elements of a list that have the same count once. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return [...new Set(value.map((each) => JSON.stringify(shapeOf(each))))].toSorted()
  if (value === null || typeof value !== 'object') return value === null ? 'null' : typeof value
  // `bucket` is the one thing that a member adds. Callbacks of articles have `debug`, those of fonts do not. What failed at a
  // member is known there alone, and so is whether the service has accepted the secret (`unknown`).
  const members = Object.entries(value).filter(
    ([name]) => !['bucket', 'debug', 'failed_save', 'unknown'].includes(name),
  )
  return Object.fromEntries(members.map(([name, member]) => [name, shapeOf(member)]))
}

/** The names alone: of a save that is refused, other values are null. */
const membersOf = (line: unknown): unknown => Object.keys(Object(line)).toSorted()

const html = '<p>Noon</p><img src="dummy-hero.png">'

async function fourLibraries() {
  const team = await aTeam({
    mishap: (method, _key, keyId) => (keyId === 'READER' && method !== 'GET' ? 'status_403' : null),
  })
  const callbackUrl = `http://127.0.0.1:${await aFreePort()}/callback/acme`
  expect((await team.run(team.library, 'site', 'add', 'acme', '--callback-url', callbackUrl)).code).toBe(0)
  expect((await team.run(team.library, 'open', 'acme', 'post-1', '--title', 'First')).code).toBe(0)
  const place = await temporaryFolder()
  const at = (kind: Kind): string => join(place, kind, 'library')
  const folders = { folder: at('folder'), away: at('away'), reader: at('reader'), member: at('member') }
  await cp(team.library, folders.folder, { recursive: true })
  expect((await team.import()).code).toBe(0)
  expect((await team.join(folders.member)).code).toBe(0)
  const readerKeys = { id: 'READER', secret: 'anything' }
  const joined = await team.runAs(readerKeys, folders.reader, 'team', 'join', ...team.at)
  expect(joined.json(), joined.stderr).toMatchObject({ read_only: true })

  // The same saves, into the folder and into the team.
  const css = '@font-face{font-family:Inter;src:url(dummy-inter.woff2)}'
  const saves = [
    team.save({ materialId: 'post-1', versionId: 'v1' }),
    team.save({ materialId: 'post-1', versionId: 'v2', html }),
    team.save({ materialId: 'post-2', versionId: 'w1' }),
    aFontsSave(team.service, 'f1', { 'vms_fonts.css': css, 'vms_fonts/inter.woff2': 'no font' }),
  ]
  for (const folder of [folders.folder, team.library]) {
    const listener = await team.listen(folder)
    for (const save of saves) expect((await listener.deliver(save)).json.rc).toBe(1)
    await listener.close()
  }
  await cp(team.library, folders.away, { recursive: true })
  const file = join(folders.away, 'team.json')
  await writeFile(file, (await readFile(file, 'utf8')).replace(team.storage.url, 'http://127.0.0.1:9'))
  return { run, listen, save: team.save }

  /** Starts `galley listen`, delivers a save, and stops it. Returns all that it said. */
  async function listen(kind: Kind, { body, headers }: ReturnType<typeof team.save>) {
    const keys = kind === 'reader' ? { GALLEY_TEAM_ACCESS_KEY_ID: readerKeys.id } : {}
    const { url, child, line, lines: said, ended } = await startListen(folders[kind], { ...team.environment, ...keys })
    const answer = await send(`${url}/callback/acme`, 'POST', body, { 'content-type': 'application/json', ...headers })
    await line(({ event }: { readonly event: string }) => event === 'callback')
    child.kill('SIGTERM')
    return { answer, said, code: await ended }
  }

  async function run(kind: Kind, line: string): Promise<Ran> {
    const folder = folders[kind]
    let args = line.replaceAll('OUT', join(place, kind)).split(' ')
    if (line.includes('CALLBACK')) {
      const [newest] = (await run(kind, 'callbacks --outcome stored --limit 1')).json() as readonly {
        readonly id: string
      }[]
      args = args.map((arg) => (arg === 'CALLBACK' ? String(newest?.id) : arg))
    }
    const given = args.indexOf('--library')
    const library = given < 0 ? folder : String(args[given + 1])
    if (kind === 'away')
      return galley([...args, '--json', '--library', library], team.environment, '', { bucketPatienceMs: 500 })
    return kind === 'reader' ? team.runAs(readerKeys, library, ...args) : team.run(library, ...args)
  }
}

test('every command works in a member library as in a folder', async () => {
  const { run, listen, save } = await fourLibraries()
  const inTurn = async ({ args }: Line, one: Kind, other: Kind): Promise<Partial<Record<Kind, Ran>>> => ({
    [one]: await run(one, args),
    [other]: await run(other, args),
  })
  const { commands } = (await run('folder', 'help')).json() as { readonly commands: readonly { name: string }[] }
  const isTried = (name: string): boolean =>
    others.has(name) || name.startsWith('team ') || [...reading, ...writing].some(({ args }) => args.startsWith(name))
  expect(commands.map(({ name }) => name).filter((name) => !isTried(name))).toEqual([])

  const late = save({ materialId: 'post-1', versionId: 'v3', html })
  const inFolder = await listen('folder', late)
  expect(inFolder).toMatchObject({ answer: { status: 200, json: { rc: 1 } }, code: 0 })
  for (const kind of ['away', 'reader', 'member'] as const) {
    const { answer, said, code } = await listen(kind, late)
    expect([code, said.map(membersOf)]).toEqual([0, inFolder.said.map(membersOf)])
    if (kind === 'member') expect(answer).toMatchObject({ status: 200, text: inFolder.answer.text })
    else expect(answer).toMatchObject({ status: 500, json: { rc: 0, code: 'storage_failed' } })
  }

  const wrong: string[] = []
  for (const line of [...reading, ...writing]) {
    // The reader comes before the member, so that it meets what the member changes.
    const pairs = [() => inTurn(line, 'folder', 'away'), () => inTurn(line, 'reader', 'member')] as const
    // The check of a site listens at the port of its callback URL, and one process at a time publishes to a target.
    const [first, second] = /^(site check|target check|publish)/.test(line.args)
      ? [await pairs[0](), await pairs[1]()]
      : await Promise.all(pairs.map((pair) => pair()))
    const ran = { ...first, ...second } as Record<Kind, Ran>
    for (const kind of kinds) {
      const { stdout, stderr } = ran[kind]
      const said = `galley ${line.args} (${kind})`
      const [end, wanted] = [endOf(ran[kind]), line[kind] ?? line.folder ?? 0]
      if (end !== wanted) wrong.push(`${said} ends with ${end}, not ${wanted}: ${stdout}${stderr}`)
      else if (end === endOf(ran.folder)) {
        const [here, there] = [ran.folder, ran[kind]].map((each) => JSON.stringify(shapeOf(each.json())))
        if (here !== there) wrong.push(`${said} has another JSON: ${stdout} than ${ran.folder.stdout}`)
      } else if (!/^\S.{20,}$/.test(failureOf(ran[kind].json())?.message ?? 'It waits for the bucket.'))
        wrong.push(`${said}: ${stdout}`)
    }
  }
  expect(wrong).toEqual([])
})

test.each([
  ['team join s3://b/x', 'the bucket of the place cannot be used'],
  ['team join s3://bucket/x --endpoint ftp://x', 'the endpoint of the place cannot be used'],
  ['team join s3://bucket/x --access-key-stdin', '--access-key-stdin cannot be used with --secrets env'],
  ['team decide one mine', 'ID must be the number of a change'],
  ['team decide 1 hers', 'WHOSE must be mine or theirs'],
])('wrong usage is named with what is wrong: %s', async (args, words) => {
  const ran = await galley([...args.split(' '), '--library', await temporaryFolder()], { GALLEY_SECRETS: 'env' })
  expect(ran.code).toBe(2)
  expect(ran.stderr).toContain(words)
})
