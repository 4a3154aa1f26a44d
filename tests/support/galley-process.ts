import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import { createInterface } from 'node:readline'
import { Readable, Writable } from 'node:stream'

import { cliFile, commandsFile } from '../../scripts/runtime/built.ts'
import type { GalleyEdges } from '../../src/main/galley.ts'

/** A command that takes longer is killed, which its exit code shows. */
const usualLimitMs = 120_000

/** What a test replaces of a library that a command opens. */
export type Edges = Partial<Pick<GalleyEdges, 'bucketPatienceMs' | 'secrets'>>

export type Environment = Readonly<Record<string, string | undefined>>

/** The result of a command. */
export interface Ran {
  /** null after a signal. */
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
  /** Standard output as JSON. Throws unless it is exactly one value. */
  readonly json: () => unknown
  /** The error of a failed command. */
  readonly failure: () => { readonly code: string; readonly message: string }
}

/** The environment of the caller without Galley's variables. undefined removes a variable. */
function cleanEnvironment(given: Environment): Environment {
  const kept = Object.entries(process.env).filter(([name]) => !name.startsWith('GALLEY_'))
  return { ...Object.fromEntries(kept), ...given }
}

function start(args: readonly string[], environment: Environment): ChildProcess {
  return spawn(process.execPath, [cliFile, ...args], { env: cleanEnvironment(environment), stdio: 'pipe' })
}

/** The result of a command that ended with this code and said this. */
const ran = (code: number | null, said: { readonly stdout: string; readonly stderr: string }): Ran => {
  const json = (): unknown => JSON.parse(said.stdout)
  return { code, ...said, json, failure: () => (json() as { error: ReturnType<Ran['failure']> }).error }
}

/** Runs one command to its end, as a process of its own. */
export async function galleyProcess(
  args: readonly string[],
  environment: Environment = {},
  stdin = '',
  limitMs = usualLimitMs,
): Promise<Ran> {
  const child = start(args, environment)
  const said = { stdout: '', stderr: '' }
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (said.stdout += text))
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (said.stderr += text))
  // A command that does not read its input may have ended before it was written.
  child.stdin?.on('error', () => {}).end(stdin)
  const limit = setTimeout(() => child.kill('SIGKILL'), limitMs)
  const [code] = (await once(child, 'close')) as [number | null]
  clearTimeout(limit)
  return ran(code, said)
}

/**
 * Runs one command of the build to its end in this process, because a process would spend most of its time on starting.
 * Use `galleyProcess` where the process itself matters: its environment, signals, outputs, keychain and end.
 */
export async function galley(
  args: readonly string[],
  environment: Environment = {},
  stdin: string | Buffer = '',
  edges: Edges = {},
): Promise<Ran> {
  const said = { stdout: '', stderr: '' }
  const outputTo = (name: keyof typeof said) =>
    new Writable({
      decodeStrings: false,
      write(text: string, _encoding, done) {
        said[name] += text
        done()
      },
    })
  const code = await builtCommands().run(
    {
      host: {
        stdin: Readable.from([typeof stdin === 'string' ? Buffer.from(stdin) : stdin]),
        stdout: outputTo('stdout'),
        stderr: outputTo('stderr'),
        onSignal: () => () => undefined,
        // Vitest fails the run for uncaught errors.
        onFault: () => undefined,
        onOutputLost: () => undefined,
        exitSoon: () => undefined,
      },
      args,
      environment: cleanEnvironment(environment),
      buildFolder: dirname(dirname(commandsFile)),
    },
    edges,
  )
  return ran(code, said)
}

/** Never called: it tells `vitest --changed` that tests of the build depend on what is built. */
const sources = () => import('../../src/main/commands.ts')

const builtCommands = () => createRequire(import.meta.url)(commandsFile) as Awaited<ReturnType<typeof sources>>

/** A command that runs until it is stopped, and prints one JSON value per line. */
export interface Stream {
  readonly child: ChildProcess
  readonly lines: readonly unknown[]
  readonly stderr: () => string
  /** Resolves with the exit code, or the signal. */
  readonly ended: Promise<number | string | null>
  /** Resolves with the first line, past or future, that satisfies `isIt`. Rejects if the process ends first. */
  readonly line: <Line>(isIt: (line: Line) => boolean) => Promise<Line>
  /** Resolves when standard error contains a text. */
  readonly says: (text: string) => Promise<void>
}

/** Registers what to do at the end. */
export type AtEnd = (clean: () => Promise<void>) => void

export interface StreamOptions {
  readonly atEnd: AtEnd
  readonly stdin?: string
  /** How much of the output is read: only the first lines, if there are a hundred thousand. */
  readonly lines?: 'all' | 'first'
}

/** Starts such a command. It is killed at the end, through `atEnd`, if it still runs. */
export function stream(
  args: readonly string[],
  environment: Environment = {},
  { stdin = '', atEnd, lines: kept = 'all' }: StreamOptions,
): Stream {
  const child = start(args, environment)
  const lines: unknown[] = []
  let stderr = ''
  const waiting = new Set<() => void>()
  const wake = (): void => {
    for (const check of waiting) check()
  }
  if (!child.stdout || !child.stderr || !child.stdin) throw new Error('A child without pipes')
  child.stdin.on('error', () => {}).end(stdin)
  createInterface({ input: child.stdout }).on('line', (line) => {
    if (kept === 'first' && lines.length > 0) return
    lines.push(JSON.parse(line))
    wake()
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
    wake()
  })
  let isOver = false
  const ended = once(child, 'close').then(([code, signal]) => {
    isOver = true
    wake()
    return (code ?? signal) as number | string | null
  })
  atEnd(async () => {
    if (!isOver) child.kill('SIGKILL')
    await ended
  })

  const until = <Found>(find: () => Found | undefined): Promise<Found> =>
    new Promise((resolve, reject) => {
      const check = (): void => {
        const found = find()
        if (found === undefined && !isOver) return
        waiting.delete(check)
        if (found === undefined) reject(new Error(`The process ended before that. It said:\n${stderr}`))
        else resolve(found)
      }
      waiting.add(check)
      check()
    })
  return {
    child,
    lines,
    stderr: () => stderr,
    ended,
    line: <Line>(isIt: (line: Line) => boolean) => until(() => (lines as Line[]).find(isIt)),
    says: async (text) => void (await until(() => (stderr.includes(text) ? true : undefined))),
  }
}

/** Starts `listen` on a free port and waits until it listens; `url` is its address. */
export async function startListen(
  library: string,
  environment: Environment,
  { args = ['--port', '0'], ...options }: StreamOptions & { readonly args?: readonly string[] },
) {
  const run = stream(['listen', '--json', '--library', library, ...args], environment, options)
  const { url } = (await run.line((line: { event?: string }) => line.event === 'listening')) as { url: string }
  return { ...run, url }
}

export type Listening = Awaited<ReturnType<typeof startListen>>
