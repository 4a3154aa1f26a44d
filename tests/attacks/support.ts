import { readFileSync } from 'node:fs'
import { expect, onTestFinished } from 'vitest'

import { galley, startListen } from '../cli/support/cli.ts'
import type { floods } from '../support/attacks/floods.ts'
import { startFlood } from '../support/attacks/start-flood.ts'
import { aLibrary } from '../support/library-with-service.ts'
import { aSave, send } from '../support/test-galley.ts'

/** A listener in another process, a service, and one large public file. */
export async function aTarget(listenArgs: readonly string[] = []) {
  const { service, library, environment } = await aLibrary()
  const listening = await startListen(library, environment, { args: ['--port', '0', ...listenArgs] })
  const { url } = listening
  const { pid } = listening.child

  async function deliver(parts: Parameters<typeof aSave>[1] = {}) {
    const { body, headers } = aSave(service, parts)
    const answer = await send(`${url}/callback/acme`, 'POST', body, { 'content-type': 'application/json', ...headers })
    return answer.json
  }

  /** Milliseconds from a callback to its answer; fails when that is no rc 1. */
  async function save(parts: Parameters<typeof aSave>[1] = {}): Promise<number> {
    const startMs = performance.now()
    const answer = await deliver(parts)
    expect(answer.rc, answer.rm).toBe(1)
    return performance.now() - startMs
  }
  await save({ versionId: 'large', files: { 'large.bin': Buffer.alloc(16 * 1024 ** 2, 'abcdefgh') } })
  const versions = await galley(['versions', 'acme', 'post-1', '--json', '--library', library], environment)
  const [version] = versions.json() as { public_urls: Record<string, string> }[]
  const filePath = new URL(version?.public_urls['large.bin'] ?? url).pathname

  return {
    url,
    deliver,
    save,
    filePath,
    library,
    environment,
    listening,
    /** Memory of the process in MB, as the system reports it. */
    residentMb: (): number =>
      Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024,
    /** Processor time of its main thread in milliseconds. */
    workedMs: (): number => Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6,
    /** So many saves one after another; their times in milliseconds, shortest first. */
    async saves(count: number): Promise<readonly number[]> {
      const took: number[] = []
      for (let at = 0; at < count; at++) took.push(await save())
      return took.toSorted((one, other) => one - other)
    },
    /** Starts a flood against it, which ends with the test. */
    async under<Name extends keyof typeof floods>(name: Name, ...given: Rest<Parameters<(typeof floods)[Name]>>) {
      const flood = await startFlood(name, ...([url, ...given] as unknown as Parameters<(typeof floods)[Name]>))
      onTestFinished(flood.stop)
      return flood
    },
  }
}

/** The arguments of a flood in addition to the listener. */
type Rest<Given extends readonly unknown[]> = Given extends readonly [string, ...infer Others] ? Others : never
