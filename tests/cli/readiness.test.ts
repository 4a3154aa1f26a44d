import { execFileSync } from 'node:child_process'
import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'

import { canMount, mountSmallDisk } from '../library/log/small-disk.ts'
import { aLibrary } from '../support/library-with-service.ts'
import { randomFrom } from '../support/random.ts'
import { createSaves, post } from '../support/saves.ts'
import { startListen } from './support/cli.ts'

const patience = { interval: 100 }

async function aListener(folder?: string) {
  const { service, library, environment } = await aLibrary(folder)
  const { prepare } = createSaves(service, randomFrom(11))
  const listener = await startListen(library, environment, { args: ['--port', '0', '--health-port', '0'] })
  const { health_url: health } = listener.lines[0] as { health_url: string }
  const ready = async () => {
    const answer = await fetch(`${health}/ready`)
    return { status: answer.status, ...((await answer.json()) as { state: string; message?: string }) }
  }
  const save = async () => (await post(listener.url, prepare('media', 'post/1')))?.json
  expect(await save()).toMatchObject({ rc: 1 })
  return { library, listener, ready, save }
}

/** Makes a file or folder read-only, as a disk does; the returned function undoes it. */
function readOnly(path: string): () => void {
  execFileSync('mount', ['--bind', path, path])
  execFileSync('mount', ['-o', 'remount,ro,bind', path])
  let isOver = false
  const undo = (): void => {
    if (!isOver) execFileSync('umount', ['-l', path])
    isOver = true
  }
  onTestFinished(undo)
  return undo
}

describe.skipIf(!canMount())('a listener says that it is not ready, and why, and is ready again by itself', () => {
  it.each(['log', 'staging', 'files'])('while %s cannot be written, before any save and after one', async (name) => {
    const { library, ready, save } = await aListener()
    const [segment = ''] = readdirSync(join(library, 'log'))
    const shard = readdirSync(join(library, 'files'))[0] ?? ''
    const path = { log: `log/${segment}`, staging: 'staging', files: `files/${shard}` }[name] ?? ''
    const undo = readOnly(join(library, path))
    const expected = { status: 503, ready: false, state: 'disk_read_only', message: 'the disk is read-only' }
    await expect.poll(ready, patience).toMatchObject(expected)
    if (name !== 'files') expect(await save()).toMatchObject({ rc: 0, code: 'storage_failed' })
    expect(await ready()).toMatchObject(expected)
    undo()
    await expect.poll(ready, patience).toMatchObject({ status: 200, state: 'ready' })
    expect(await save()).toMatchObject({ rc: 1 })
  })

  it('while the disk has no inodes left', async () => {
    const disk = mountSmallDisk(64, 400)
    if (!disk) throw new Error('The disk could not be mounted')
    onTestFinished(disk.unmount)
    const { ready, save } = await aListener(disk.folder)
    const filled: string[] = []
    for (let isFull = false; !isFull;) {
      const file = join(disk.folder, `filler-${filled.length}`)
      try {
        writeFileSync(file, '')
        filled.push(file)
      } catch {
        isFull = true
      }
    }
    expect(await save()).toMatchObject({ rc: 0, rm: expect.stringContaining('no inodes') })
    expect(await ready()).toMatchObject({ status: 503, state: 'disk_without_inodes' })
    for (const file of filled) rmSync(file)
    await expect.poll(ready, patience).toMatchObject({ status: 200, state: 'ready' })
    expect(await save()).toMatchObject({ rc: 1 })
  })

  it.each([1, 2, 3, 4])('while it has only %i descriptors left, which is no fault of the network', async (left) => {
    const { listener, ready, save } = await aListener()
    const pid = String(listener.child.pid)
    const highest = Math.max(...readdirSync(`/proc/${pid}/fd`).map(Number))
    const open = readdirSync(`/proc/${pid}/fd`).length
    const limit = (soft: number) => execFileSync('prlimit', ['--pid', pid, `--nofile=${soft}:`])
    // Numbers below the highest that are free count too, so these are used as well.
    limit(highest + 1 - (highest + 1 - open) + left)
    const answer = await save()
    if (answer?.rc !== 1)
      expect(answer).toMatchObject({
        rc: 0,
        code: 'storage_failed',
        rm: expect.stringContaining('too many files are open'),
      })
    await expect
      .poll(() => ready().catch(() => null), patience)
      .toMatchObject({ status: 503, state: 'many_files_open', message: 'too many files are open' })
    limit(4096)
    await expect.poll(ready, patience).toMatchObject({ status: 200, state: 'ready' })
    expect(await save()).toMatchObject({ rc: 1 })
  })
})

it('a listener is not ready while no site has a secret', async () => {
  const { library } = await aLibrary()
  const listener = await startListen(
    library,
    { GALLEY_SECRETS: 'env' },
    { args: ['--port', '0', '--health-port', '0'] },
  )
  const { health_url: health } = listener.lines[0] as { health_url: string }
  const answer = await fetch(`${health}/ready`)
  expect([answer.status, await answer.json()]).toEqual([
    503,
    {
      ready: false,
      state: 'secret_missing',
      reason: 'secret_missing',
      message: 'no secret is stored for the site acme. Enter it in the settings of the site',
    },
  ])
})
