/** Traces the system calls of a listener with strace and injects faults. Linux only. */

import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import { hasEnded, startService } from '../../runtime/processes.ts'
import type { Given } from '../torture.ts'

/** The system calls that write to a disk or send data. */
export const changingCalls = [
  'write',
  'pwrite64',
  'writev',
  'pwritev',
  'fsync',
  'fdatasync',
  'sync_file_range',
  'copy_file_range',
  'sendmsg',

  'rename',
  'renameat',
  'renameat2',
  'link',
  'linkat',
  'unlink',
  'unlinkat',
  'mkdir',
  'rmdir',
  'ftruncate',
  'openat',
] as const

/** One thread in the file pool, so that every run makes its calls in the same threads and order. */
export const traceable = { UV_THREADPOOL_SIZE: '1' }

/** A finished system call. Start and end are line numbers among the calls of all threads. */
export interface Call {
  readonly thread: number
  readonly name: string
  /** In strace's format: open files with their paths, texts truncated. */
  readonly arguments: string
  readonly result: string
  readonly beganAt: number
  readonly endedAt: number
}

/** The threads of a process by role: `main`, `pool`, and `worker 1`, `worker 2`, … in the order of their starts. */
export function threadsOf(processId: number): ReadonlyMap<string, number> {
  const threads = readdirSync(`/proc/${processId}/task`).map(Number)
  const named = (name: string): readonly number[] =>
    threads.filter((thread) => readFileSync(`/proc/${processId}/task/${thread}/comm`, 'utf8').trim() === name)
  const [pool] = named('libuv-worker')
  const workers = named('WorkerThread').map((thread, at): [string, number] => [`worker ${at + 1}`, thread])
  return new Map([['main', processId], ...(pool === undefined ? [] : [['pool', pool] as const]), ...workers])
}

export interface Attached {
  /** Detaches, and returns the calls so far. */
  readonly detach: () => Promise<readonly Call[]>
}

let attachments = 0

/**
 * Attaches to these threads, or to all threads of the process, for calls on these files or, without any, for all calls. Resolves
 * when tracing has begun.
 */
export async function attach(
  { folder }: Pick<Given, 'folder'>,
  target: { readonly threads: readonly number[] } | { readonly processId: number },
  expressions: readonly string[],
  files: readonly string[] = [],
): Promise<Attached> {
  attachments += 1
  const file = join(folder, `trace-${attachments}.txt`)
  const whom =
    'threads' in target ? target.threads.flatMap((id) => ['-p', String(id)]) : ['-f', '-p', String(target.processId)]
  const which = files.flatMap((path) => ['-P', path])
  const args = [
    '-y',
    '-s',
    '40',
    '-o',
    file,
    ...whom,
    ...which,
    ...expressions.flatMap((expression) => ['-e', expression]),
  ]
  const child = startService('strace', args, ['ignore', 'ignore', 'pipe'])
  const ended = once(child, 'exit')
  const awaited = 'threads' in target ? target.threads.length : 1
  let said = ''
  await new Promise<void>((resolve, reject) => {
    child.on('error', reject)
    child.on('exit', () => reject(new Error(`strace: ${said}`)))
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      said += text
      if (said.split(' attached').length > awaited) resolve()
    })
  })
  return {
    async detach() {
      if (!hasEnded(child)) child.kill('SIGINT')
      await ended
      return callsIn(readFileSync(file, 'utf8'))
    },
  }
}

/** Parses the output of strace. Unfinished calls are left out. */
function callsIn(trace: string): readonly Call[] {
  const calls: Call[] = []
  const open = new Map<number, Pick<Call, 'name' | 'arguments' | 'beganAt'>>()
  for (const [at, line] of trace.split('\n').entries()) {
    const [, threadText = '0', rest = ''] = /^(?:(\d+) +)?(.*)$/.exec(line) ?? []
    const thread = Number(threadText)
    const resumed = /^<\.\.\. (\w+) resumed>(.*)\) += (.*)$/.exec(rest)
    const begun = open.get(thread)
    if (resumed && begun) {
      open.delete(thread)
      const [, , more = '', result = ''] = resumed
      calls.push({ ...begun, thread, arguments: begun.arguments + more, result, endedAt: at })
      continue
    }
    const unfinished = /^(\w+)\((.*?),? *<unfinished \.\.\.>$/.exec(rest)
    if (unfinished) {
      const [, name = '', given = ''] = unfinished
      open.set(thread, { name, arguments: given, beganAt: at })
      continue
    }
    const whole = /^(\w+)\((.*)\) += (.*)$/.exec(rest)
    if (!whole) continue
    const [, name = '', given = '', result = ''] = whole
    calls.push({ thread, name, arguments: given, result, beganAt: at, endedAt: at })
  }
  return calls
}

/** The path of the open file of a call, or null. */
export const openPath = (call: Call): string | null => /^\d+<(.*?)>/.exec(call.arguments)?.[1] ?? null

/** The paths among the arguments of a call, without those of open folders. */
export const namedPaths = (call: Call): readonly string[] =>
  Array.from(call.arguments.matchAll(/"((?:[^"\\]|\\.)*)"/g), ([, path = '']) => path)
