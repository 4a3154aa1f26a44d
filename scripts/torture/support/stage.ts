/** The set-up of most tortures: a library with one site, a test service, and a function that starts listeners. */

import { join } from 'node:path'

import type { Environment, Ran } from '../../../tests/support/galley-process.ts'
import { galley, startListen } from '../../../tests/support/galley-process.ts'
import { startService, type TestService } from '../../../tests/support/service.ts'
import { NotHeld, type Given } from '../torture.ts'
import { twinEnvironment } from './twins.ts'

export interface Stage {
  readonly library: string
  readonly service: TestService
  /** Runs one command of the build on the library in this process, with `--json`. Never runs as the broken twin. */
  readonly galley: (...args: string[]) => Promise<Ran>
  /** Runs a command that must succeed, and returns its JSON. */
  readonly jsonOf: (...args: string[]) => Promise<unknown>
  /** Starts a listener on the library, as the broken twin if there is one. */
  readonly listen: (more?: Environment) => Promise<Listener>
}

export interface Listener {
  readonly url: string
  /** Of its probes. */
  readonly healthUrl: string
  readonly processId: number
  /** Milliseconds from the start to the line that reports the address. */
  readonly readyMs: number
  readonly stderr: () => string
  readonly says: (text: string) => Promise<void>
  readonly kill: (signal: NodeJS.Signals) => void
  /** The exit code or signal, after the listener has ended. */
  readonly ended: Promise<number | string | null>
}

/** What a torture may change in its library and site. */
export interface StageOptions {
  /** Folder of the library, inside that of the torture. */
  readonly name?: string
  readonly site?: readonly string[]
}

/** Creates the library and starts the service. Both, and every listener started here, are stopped with the torture. */
export async function setStage(given: StageGiven, { name = 'library', site = [] }: StageOptions = {}): Promise<Stage> {
  const service = await startService('torture-secret')
  given.atEnd(service.close)
  const stage = stageAt(given, service, name)
  const ofService = ['--base-url', service.baseUrl, '--api-key', service.apiKey, '--environment', 'dev']
  const callbacks = ['--callback-url', 'http://127.0.0.1:8787/callback/acme', '--unknown-materials', 'accept']
  await stage.jsonOf('site', 'add', 'acme', ...ofService, ...callbacks, ...site)
  return stage
}

type StageGiven = Pick<Given, 'folder' | 'atEnd' | 'twin'>

/** Commands and listeners on one library of a service. Nothing is created. */
export function stageAt(
  { folder, atEnd, twin }: StageGiven,
  service: TestService,
  name: string,
  variables: Environment = {},
): Stage {
  const library = join(folder, name)
  const environment = { GALLEY_SECRETS: 'env', GALLEY_SECRET_ACME: service.secret, HOME: folder, ...variables }
  const run = (...args: string[]): Promise<Ran> => galley([...args, '--json', '--library', library], environment)
  const jsonOf = async (...args: string[]): Promise<unknown> => {
    const { code, stdout, stderr, json } = await run(...args)
    if (code !== 0) throw new NotHeld(`galley ${args.join(' ')} ended with ${code}: ${stderr}${stdout}`)
    return json()
  }
  const listen = async (more: Environment = {}): Promise<Listener> => {
    const began = performance.now()
    const twinned = { ...environment, ...twinEnvironment(twin, folder), ...more }
    const args = ['--port', '0', '--health-port', '0']
    const started = startListen(library, twinned, { args, atEnd, lines: 'first' })
    const { url, lines, child, stderr, says, ended } = await started.catch((error: Error) => {
      throw new NotHeld(error.message)
    })
    const readyMs = performance.now() - began
    const { health_url: healthUrl } = lines[0] as { health_url: string }
    const kill = (signal: NodeJS.Signals) => void child.kill(signal)
    return { url, healthUrl, processId: child.pid ?? 0, readyMs, stderr, says, kill, ended }
  }
  return { library, service, galley: run, jsonOf, listen }
}

/** Kills a listener with SIGKILL and waits for its end. */
export async function killed(listener: Listener): Promise<void> {
  listener.kill('SIGKILL')
  await listener.ended
}

/** The `run` of a torture that uses a stage. */
export const onStage =
  <Result>(play: (stage: Stage, given: Given) => Promise<Result>, options: StageOptions = {}) =>
  async (given: Given): Promise<Result> =>
    play(await setStage(given, options), given)
