import { createHash } from 'node:crypto'
import { setMaxListeners } from 'node:events'
import { addAbortSignal } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { TargetLocation } from '@galley/library/records'
import { isSystemError } from '@galley/platform'
import type { CauseCode } from '@galley/wire'
import { CausedError, cause } from '@galley/wire'
import type { Client, FileEntryWithStats as FileEntry, SFTPWrapper, Stats } from 'ssh2'

import type { SftpCredentials } from './sftp-login.ts'
import { loginWith } from './sftp-login.ts'

export interface SftpOptions extends SftpCredentials {
  readonly place: Extract<TargetLocation, { kind: 'sftp' }>
  /** The host key of the first connection, as `SHA256:…`; null: this is the first connection. */
  readonly knownHostKey: string | null
  /** Called once, with the server's host key, on the first connection. */
  readonly rememberHostKey: (fingerprint: string) => void
  /** How long the server may move no data of the calls that wait for it. */
  readonly stallMs: number
}

const connectLimitMs = 20_000
/** Keeps an idle connection open, which servers and routers may close. */
const keepAliveMs = 10_000

/** The causes of the protocol's status codes. Code 4 is a failure of any kind. */
const causes: ReadonlyMap<unknown, CauseCode> = new Map([
  [2, 'sftp_missing'],
  [3, 'sftp_denied'],
  [4, 'sftp_failed'],
  [6, 'sftp_cut'],
  [7, 'sftp_cut'],
  [8, 'sftp_unsupported'],
])

export const folderOf = (path: string): string => path.split('/').slice(0, -1).join('/')

/**
 * Ends a connection on which work waits and nothing moves for too long: no answer and no data, in either direction. A slow
 * connection goes on.
 */
function watchProgress(client: Client, stallMs: number) {
  const lost = new AbortController()
  let waiting = 0
  let movedMs = performance.now()
  let isStalled = false
  const moved = (): void => void (movedMs = performance.now())
  const timer = setInterval(() => {
    if (waiting === 0 || performance.now() - movedMs <= stallMs) return
    isStalled = true
    client.destroy()
  }, stallMs / 10)
  client.once('close', () => {
    clearInterval(timer)
    lost.abort()
  })
  const problem = (): CausedError => new CausedError(cause(isStalled ? 'sftp_stalled' : 'sftp_cut'))

  return {
    lost: lost.signal,
    problem,
    /** Runs work, and reports the connection's problem instead of the errors that it causes. */
    async during<Value>(work: () => Promise<Value>): Promise<Value> {
      if (lost.signal.aborted) throw problem()
      if (waiting === 0) moved()
      waiting += 1
      try {
        return await work()
      } catch (error) {
        throw lost.signal.aborted ? problem() : error
      } finally {
        waiting -= 1
        moved()
      }
    },
    /** The same bytes, each piece of which counts as progress. */
    async *counted(bytes: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
      for await (const chunk of bytes) {
        moved()
        yield chunk
      }
    },
  }
}

type Progress = ReturnType<typeof watchProgress>

/** The answers of a connection as promises. All fail when the connection is lost. */
const answersOf =
  (progress: Progress) =>
  <Value>(start: (done: (error: Error | null | undefined, value?: Value) => void) => void) =>
    progress.during(
      () =>
        new Promise<Value | undefined>((resolve, reject) => {
          const closed = (): void => reject(new CausedError(cause('sftp_cut')))
          progress.lost.addEventListener('abort', closed, { once: true })
          start((error, value) => {
            progress.lost.removeEventListener('abort', closed)
            if (error) reject(faultOf(error))
            else resolve(value)
          })
        }),
    )

/** Files on a server over SFTP, by the server's paths. The library is loaded on the first connection. */
export async function openSftp(options: SftpOptions) {
  const client = await connected(options)
  const progress = watchProgress(client, options.stallMs)
  setMaxListeners(0, progress.lost)
  const call = answersOf(progress)
  const opened = await call<SFTPWrapper>((done) => client.sftp(done)).catch(() => undefined)
  if (!opened) {
    client.end()
    throw progress.lost.aborted ? progress.problem() : new CausedError(cause('sftp_not_offered'))
  }
  const sftp = opened
  const folders = new Set<string>()
  let hasGaps = false

  /** Does not follow links; null: nothing is there. */
  const inspect = async (path: string): Promise<Stats | null> =>
    (await call<Stats>((done) => sftp.lstat(path, done)).catch(unlessMissing)) ?? null
  const isThere = async (path: string): Promise<boolean> =>
    (await call<Stats>((done) => sftp.stat(path, done)).catch(unlessMissing)) !== undefined
  const remove = async (path: string): Promise<void> =>
    void (await call((done) => sftp.unlink(path, done)).catch(unlessMissing))

  /** What a folder contains, with its size; nothing if there is no such folder. */
  async function sizesIn(path: string): Promise<ReadonlyMap<string, number>> {
    const found = await call<readonly FileEntry[]>((done) => sftp.readdir(path, done)).catch(unlessMissing)
    return new Map(found?.map(({ filename, attrs }) => [filename, attrs.size]))
  }

  async function makeFolder(path: string): Promise<void> {
    if (path === '' || path === '.' || folders.has(path)) return
    if (!(await isThere(path))) {
      await makeFolder(folderOf(path))
      const make = (attributes: { readonly mode?: number }) =>
        call((done) => sftp.mkdir(path, attributes, done)).catch(async (error: unknown) => {
          // Another client may have created it meanwhile.
          if (!(await isThere(path))) throw error
        })
      // Some servers take no modes.
      await make({ mode: 0o755 }).catch(() => make({}))
    }
    folders.add(path)
  }

  /** Moves a file over another one with an OpenSSH extension, since the protocol cannot. */
  async function replace(from: string, to: string): Promise<void> {
    const move = () => call((done) => sftp.rename(from, to, done))
    try {
      await call((done) => sftp.ext_openssh_rename(from, to, done))
    } catch (error) {
      // The library throws an error of its own where the server does not announce the extension.
      if (error instanceof CausedError && !isUnsupported(error)) throw error
      const place = { isTaken: async () => (await inspect(to)) !== null, free: () => remove(to) }
      if (await moveOver(move, place)) hasGaps = true
    }
  }

  return {
    inspect,
    remove,
    makeFolder,
    replace,
    /** Whether replacing a file left a moment without it. */
    hasGaps: (): boolean => hasGaps,
    write: (path: string, bytes: AsyncIterable<Buffer>, signal: AbortSignal): Promise<void> =>
      progress.during(async () => {
        const stop = AbortSignal.any([signal, progress.lost])
        try {
          // The stream sets the mode, and goes on if the server refuses that.
          const file = sftp.createWriteStream(path, { mode: 0o644 })
          await pipeline(progress.counted(bytes), file, { signal: stop })
        } catch (error) {
          throw error instanceof Error && !stop.aborted ? faultOf(error) : error
        }
      }),
    /** Passes the bytes of a file to `take`; null: the file does not exist. */
    readWith: <Value>(path: string, take: (bytes: AsyncIterable<Buffer>) => Promise<Value>): Promise<Value | null> =>
      progress.during(async () => {
        if (!(await isThere(path))) return null
        const file = sftp.createReadStream(path)
        try {
          return await take(progress.counted(addAbortSignal(progress.lost, file)))
        } catch (error) {
          throw error instanceof Error ? faultOf(error) : error
        }
      }),
    list: async (path: string): Promise<readonly string[]> => [...(await sizesIn(path)).keys()],
    sizesIn,
    /** A folder that is not empty stays. */
    async removeFolder(path: string): Promise<void> {
      folders.delete(path)
      await call((done) => sftp.rmdir(path, done)).catch(() => undefined)
    },
    close: (): void => void client.end(),
  }
}

/** Moves a file. Returns whether its place had to be freed first, which leaves a moment without a file. */
async function moveOver(
  move: () => Promise<unknown>,
  place: { isTaken(): Promise<boolean>; free(): Promise<void> },
): Promise<boolean> {
  try {
    await move()
    return false
  } catch (error) {
    if (isUnsupported(error)) throw new CausedError(cause('sftp_unsupported', { name: 'RENAME' }))
    if (!(await place.isTaken())) throw error
    await place.free()
    await move()
    return true
  }
}

/** For a call whose answer may be that nothing is there. */
function unlessMissing(error: unknown): undefined {
  if (error instanceof CausedError && error.reason.code === 'sftp_missing') return undefined
  throw error
}

const isUnsupported = (error: unknown): boolean =>
  error instanceof CausedError && error.reason.code === 'sftp_unsupported'

function faultOf(error: Error): CausedError {
  if (error instanceof CausedError) return error
  const code = 'code' in error ? error.code : undefined
  if (isSystemError(error)) return new CausedError(cause('sftp_cut'))
  // Without a status, it comes from the connection or the library.
  if (typeof code !== 'number') return new CausedError(cause('sftp_failed'))
  return new CausedError(cause(causes.get(code) ?? 'sftp_refused', { name: code }))
}

/** Connects, and checks the host key against the first connection. */
async function connected(options: SftpOptions): Promise<Client> {
  const { place, knownHostKey, rememberHostKey } = options
  const ssh = (await import('ssh2')).default
  const client = new ssh.Client()
  let seen: string | null = null
  const login = await loginWith(options)
  login.attach(client)
  try {
    await new Promise<void>((resolve, reject) => {
      client.once('ready', resolve)
      client.once('error', reject)
      client.once('close', () => reject(new CausedError(cause('sftp_unreached'))))
      client.connect({
        ...login.config,
        host: place.host.replace(/^\[|\]$/g, ''),
        port: place.port,
        username: place.user,
        readyTimeout: connectLimitMs,
        keepaliveInterval: keepAliveMs,
        keepaliveCountMax: Infinity,
        hostVerifier: (key: Buffer) => {
          seen = `SHA256:${createHash('sha256').update(key).digest('base64').replace(/=+$/, '')}`
          return knownHostKey === null || seen === knownHostKey
        },
      })
    })
  } catch (error) {
    client.end()
    throw new CausedError(login.cause() ?? connectionCause(error, seen, knownHostKey))
  }
  // Otherwise a small request waits until the server has acknowledged the one before, up to 40 ms.
  client.setNoDelay(true)
  if (knownHostKey === null && seen !== null) rememberHostKey(seen)
  // Later errors are reported by the calls that fail.
  client.on('error', () => undefined)
  return client
}

function connectionCause(error: unknown, seen: string | null, known: string | null) {
  if (known !== null && seen !== null && seen !== known) return cause('sftp_host_key', { name: seen })
  const { level, message = '' } = error as { readonly level?: string; readonly message?: string }
  const codes: Readonly<Record<string, CauseCode>> = { 'client-authentication': 'sftp_login' }
  const isKeyFile = /^Cannot parse privateKey|passphrase/i.test(message)
  return cause(isKeyFile ? 'target_key_file' : (codes[level ?? ''] ?? 'sftp_unreached'))
}
