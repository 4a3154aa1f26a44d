import { once } from 'node:events'
import { watch } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'

import { galley, startListen, stream } from '../cli/support/cli.ts'
import type { CephGateway } from '../support/ceph.ts'
import { hasCeph, sharedCeph } from '../support/ceph.ts'
import { startIndexPages } from '../support/index-pages.ts'
import { aLibrary } from '../support/library-with-service.ts'
import { randomFrom } from '../support/random.ts'
import { createSaves, post, sha256Of } from '../support/saves.ts'
import { temporaryFolder } from '../support/test-galley.ts'

const rounds = Number(process.env['GALLEY_KILL_ROUNDS'] ?? 3)
const seed = Number(process.env['GALLEY_KILL_SEED'] ?? 20_261_123)
const materials = ['post/one', 'post/two', 'post/three', 'post/four', 'post/five', 'post/six']

/** A file as a reader gets it; null: there is none. */
type Read = (path: string) => Promise<Buffer | null>

interface Published {
  readonly release: string
  readonly changed: number
  readonly files: readonly { readonly path: string; readonly material_id?: string }[]
}

/** A library with saved pages, a target of it, and `publish` as a process. */
async function aPublisher(place: readonly string[], more: Readonly<Record<string, string>>) {
  const { service, library, environment } = await aLibrary()
  const env = { ...environment, ...more }
  const listener = await startListen(library, env)
  const saves = createSaves(service, randomFrom(seed), { sizes: [2_000, 40_000, 90_000] })
  const common = ['--json', '--library', library]
  const run = async (...args: string[]) => {
    const done = await galley([...args, ...common], env)
    expect(done.code, done.stderr).toBe(0)
    return done.json()
  }
  await run('target', 'add', 'acme', 'live', ...place)
  return {
    run,
    /** Saves every page anew; the answer is the version of each. */
    async saveAll(): Promise<ReadonlyMap<string, string>> {
      const made = new Map<string, string>()
      for (const material of materials) {
        const sent = saves.prepare('media', material)
        expect((await post(listener.url, sent))?.status).toBe(200)
        made.set(material, sent.versionId)
      }
      return made
    },
    publish: async () => (await run('publish', 'acme', '--target', 'live')) as Published,
    begin: () => stream(['publish', 'acme', '--target', 'live', ...common], env),
  }
}

/** Tells of each step by which the target changes, until the returned function is called. */
type Steps = (onStep: () => void) => () => void

/** Passes requests on to a storage, and tells of those that write. */
async function startCounter(url: string) {
  const listeners = new Set<() => void>()
  const { hostname, port } = new URL(url)
  const server = createServer((incoming, response) => {
    const { method, headers, url: path } = incoming
    const onward = request({ hostname, port, path, method, headers }, (answer) => {
      if (method === 'PUT') for (const listener of listeners) listener()
      response.writeHead(answer.statusCode ?? 500, answer.headers)
      answer.pipe(response)
    })
    onward.on('error', () => response.destroy())
    incoming.on('error', () => onward.destroy()).pipe(onward)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const steps: Steps = (onStep) => {
    listeners.add(onStep)
    return () => listeners.delete(onStep)
  }
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, steps }
}

/** What is wrong with a page as a reader finds it, or null: whole, one of these versions, and with all that it shows. */
async function problemAt(read: Read, path: string, versions: readonly (string | undefined)[]): Promise<string | null> {
  const page = (await read(path))?.toString()
  if (page === undefined) return versions.includes(undefined) ? null : `${path} is not there`
  const [, shown] = /<article>(media-\d+)</.exec(page) ?? []
  if (shown === undefined || !versions.includes(shown) || !page.trimEnd().endsWith('</html>'))
    return `${path} shows ${shown} and ends with ${page.slice(-20)}`
  for (const [, media = ''] of page.matchAll(/src="(?:\.\.\/)+(media\/[^"]+)"/g)) {
    const bytes = await read(media)
    const isWhole = bytes !== null && media.includes(sha256Of(bytes).slice(0, 32))
    // The page may have been replaced, and its files deleted, between the two reads.
    if (!isWhole && (await read(path))?.toString() === page) return `${media} of ${path} is not there, or not whole`
  }
  return null
}

async function expectWholePagesThroughKills(
  publisher: Awaited<ReturnType<typeof aPublisher>>,
  { read, steps }: { readonly read: Read; readonly steps: Steps },
): Promise<void> {
  const random = randomFrom(seed)
  let before = await publisher.saveAll()
  const first = await publisher.publish()
  const pathOf = new Map(first.files.map(({ path, material_id: material }) => [material, path]))
  const problems = async (versionsOf: (material: string) => readonly (string | undefined)[]) => {
    const found: (string | null)[] = []
    for (const material of materials)
      found.push(await problemAt(read, pathOf.get(material) ?? '', versionsOf(material)))
    return found.filter((each) => each !== null)
  }
  expect(await problems((material) => [before.get(material)])).toEqual([])

  for (let round = 0; round < rounds; round += 1) {
    const after = await publisher.saveAll()
    const oldOrNew = (material: string) => [before.get(material), after.get(material)]
    const run = publisher.begin()
    const reading = { isOver: false }
    const ended = run.ended.finally(() => (reading.isOver = true))
    const last = 2 + Math.floor(random() * 30)
    let step = 0
    const stopCounting = steps(() => {
      if ((step += 1) === last) run.child.kill('SIGKILL')
    })
    while (!reading.isOver) {
      expect(await problems(oldOrNew)).toEqual([])
      await nextTurn()
    }
    await ended
    stopCounting()
    expect(await problems(oldOrNew)).toEqual([])
    await publisher.publish()
    expect(await problems((material) => [after.get(material)])).toEqual([])
    before = after
  }

  // The history and the way back, as commands.
  const releases = (await publisher.run('releases', 'acme', '--target', 'live')) as { release: string }[]
  expect(releases.at(-1)?.release).toBe(first.release)
  await publisher.run('publish', 'acme', '--target', 'live', '--rollback', first.release)
  const shown = (await read(pathOf.get(materials[0]) ?? ''))?.toString()
  expect(shown).not.toContain(before.get(materials[0] ?? ''))
}

test(`${rounds} kills while a folder is published to show readers the old page or the new one (seed ${seed})`, async () => {
  const web = join(await temporaryFolder(), 'web')
  const publisher = await aPublisher([`folder:${web}`], {})
  await expectWholePagesThroughKills(publisher, {
    read: (path) => readFile(join(web, path)).catch(() => null),
    steps(onStep) {
      const watcher = watch(web, { recursive: true }, onStep)
      return () => watcher.close()
    },
  })
})

describe.skipIf(!hasCeph)('a bucket of a real Ceph RADOS Gateway', () => {
  let ceph: CephGateway
  beforeAll(async () => {
    ceph = await sharedCeph()
  })

  test(`${rounds} kills while it is published to show readers the old page or the new one (seed ${seed})`, async () => {
    const bucket = await ceph.aBucket('public')
    const publicUrl = `${await startIndexPages(ceph.url)}/${bucket}/www`
    const counter = await startCounter(ceph.url)
    const place = [`s3:${bucket}/www`, '--endpoint', counter.url, '--public-url', publicUrl]
    const keys = { AWS_ACCESS_KEY_ID: ceph.owner.id, AWS_SECRET_ACCESS_KEY: ceph.owner.secret }
    const publisher = await aPublisher(place, keys)
    const read: Read = async (path) => {
      const answer = await fetch(`${publicUrl}/${path}`)
      const bytes = Buffer.from(await answer.arrayBuffer())
      return answer.status === 200 ? bytes : null
    }
    await expectWholePagesThroughKills(publisher, { read, steps: counter.steps })
    expect(await ceph.openUploads(bucket)).toEqual([])
  })
})
