import { readdirSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

import { attach } from '../../scripts/torture/support/trace.ts'
import { galley, startListen } from '../cli/support/cli.ts'
import { aLibrary } from '../support/library-with-service.ts'
import { randomFrom } from '../support/random.ts'
import { createSaves, post } from '../support/saves.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { expectServed } from './saves.ts'

/** A listener with one stored save, and what its library has on the disk. */
async function aListener() {
  const { service, library, environment } = await aLibrary()
  const saves = createSaves(service, randomFrom(29))
  const listener = await startListen(library, environment)
  const first = saves.prepare('media', 'post/one')
  saves.acknowledge(first, (await post(listener.url, first))?.text ?? '')
  const filesIn = async (folder: string): Promise<readonly string[]> => {
    const entries = await readdir(join(library, folder), { recursive: true, withFileTypes: true })
    return entries.filter((entry) => entry.isFile()).map(({ name }) => name)
  }
  const [segment = ''] = readdirSync(join(library, 'log'))
  const fsck = (...args: string[]) => galley(['fsck', '--library', library, ...args], environment)
  return {
    service,
    library,
    environment,
    listener,
    first,
    filesIn,
    segment: join(library, 'log', segment),
    fsck,
    ...saves,
  }
}

type Room = Awaited<ReturnType<typeof aListener>>
/** Kills the listener, from outside or at its own system call, while it stores the save that is sent meanwhile. */
type Kill = (room: Room) => Promise<void>

const duringDownload: Kill = async ({ service, listener }) => {
  const begun = Promise.withResolvers<ServerResponse>()
  service.onDownload((_request, response) => {
    response.writeHead(200, { 'content-length': 1_000_000 })
    response.write(Buffer.alloc(300_000, 1), () => begun.resolve(response))
    return true
  })
  const kill = async () => {
    await begun.promise
    service.onDownload(null)
    listener.child.kill('SIGKILL')
  }
  void kill()
}

const at =
  (calls: string, file: 'segment' | null = null, nth = 1): Kill =>
  async ({ listener, segment }) => {
    const injected = [`trace=${calls}`, `inject=${calls}:signal=SIGKILL:when=${nth}`]
    const target = { processId: listener.child.pid ?? 0 }
    const folder = await temporaryFolder()
    const attached = await attach({ folder }, target, injected, file === null ? [] : [segment])
    onTestFinished(async () => void (await attached.detach()))
  }

test.for([
  ['during the download', duringDownload],
  ['when its first file is synced', at('fsync,fdatasync')],
  ['when its first file is moved', at('rename,renameat,renameat2,link,linkat')],
  ['when its third file is moved', at('rename,renameat,renameat2,link,linkat', null, 3)],
  ['before its line is in the log', at('pwrite64,write', 'segment')],
  ['before its line is synced', at('fdatasync,fsync', 'segment')],
] as const)('after a kill of the listener %s, fsck names what is left and finds no fault', async ([, kill]) => {
  const room = await aListener()
  const { library, environment, listener, first, filesIn, prepare, acknowledge } = room
  const before = new Set(await filesIn('files'))
  const save = prepare('media', 'post/one')
  await kill(room)
  expect(await post(listener.url, save)).toBeNull()
  expect(await listener.ended).toBe('SIGKILL')

  const staged = await readdir(join(library, 'staging'))
  const moved = (await filesIn('files')).filter((name) => !before.has(name))
  const checked = await room.fsck('--json')
  const report = checked.json() as { ok: boolean; findings: unknown[]; interrupted: string[] }
  expect([checked.code, report], checked.stdout).toMatchObject([0, { ok: true, findings: [] }])
  const versions = await galley(['versions', 'acme', 'post/one', '--json', '--library', library], environment)
  const isStored = (versions.json() as unknown[]).length === 2
  expect(report.interrupted.toSorted()).toEqual([...staged, ...(isStored ? [] : moved)].toSorted())
  const { code, stdout } = await room.fsck()
  expect(code).toBe(0)
  for (const name of report.interrupted) expect(stdout).toContain(`note   ${name} is of an interrupted save`)

  const again = await startListen(library, environment)
  const answer = await post(again.url, save)
  expect(answer?.json.rc, answer?.text).toBe(1)
  acknowledge(save, answer?.text ?? '')
  for (const each of [first, save]) await expectServed(again.url, each)
  expect(JSON.parse((await room.fsck('--json')).stdout)).toMatchObject({ ok: true, findings: [], interrupted: [] })
})
