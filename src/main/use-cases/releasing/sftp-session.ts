import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Client, ConnectConfig, SFTPWrapper, Stats } from 'ssh2'

import type { CauseCode } from '../../../contract/cause.ts'
import { CausedError, cause } from '../../../contract/cause.ts'
import type { TargetPlace } from '../../../contract/domain/target.ts'
import { isSystemError } from '../../platform/disk/system-error.ts'

export interface SftpWish {
  readonly place: Extract<TargetPlace, { kind: 'sftp' }>
  /** A password, or `file:PATH` of a private key with its passphrase on the next line; null: this user's SSH agent. */
  readonly key: string | null
  readonly agentSocket: string | undefined
  /** The host key of the first connection, as `SHA256:…`; null: this is the first connection. */
  readonly knownHostKey: string | null
  /** Called once, with the server's host key, on the first connection. */
  readonly rememberHostKey: (fingerprint: string) => void
}

const connectLimitMs = 20_000
/** A server that sends nothing for this long counts as lost. */
const keepAliveMs = 10_000
/** The time limit of each step of a transfer. */
const stepLimitMs = 120_000

/** Status codes of the protocol. */
const missing = 2
const denied = 3
const failure = 4
const lost = new Set([6, 7])

const folderOf = (path: string): string => path.split('/').slice(0, -1).join('/')

/** The answers of a connection as promises, each with a time limit. All fail when the connection is lost. */
function answersOf(client: Client) {
  return <Value>(start: (done: (error: Error | null | undefined, value?: Value) => void) => void) =>
    new Promise<Value | undefined>((resolve, reject) => {
      const closed = (): void => reject(new CausedError(cause('sftp_cut')))
      const timer = setTimeout(closed, stepLimitMs)
      client.once('close', closed)
      start((error, value) => {
        clearTimeout(timer)
        client.off('close', closed)
        if (error) reject(faultOf(error))
        else resolve(value)
      })
    })
}

/** Files on a server over SFTP, by the server's paths. The library is loaded on the first connection. */
export async function openSftp(wish: SftpWish) {
  const { client, sftp } = await connected(wish)
  client.setMaxListeners(0)
  const call = answersOf(client)
  const lostConnection = new AbortController()
  client.once('close', () => lostConnection.abort())
  const folders = new Set<string>()

  /** Does not follow links; null: nothing is there. */
  const look = async (path: string): Promise<Stats | null> =>
    (await call<Stats>((done) => sftp.lstat(path, done)).catch(unlessMissing)) ?? null
  const isThere = async (path: string): Promise<boolean> =>
    (await call<Stats>((done) => sftp.stat(path, done)).catch(unlessMissing)) !== undefined
  const remove = async (path: string): Promise<void> =>
    void (await call((done) => sftp.unlink(path, done)).catch(unlessMissing))

  async function makeFolder(path: string): Promise<void> {
    if (path === '' || path === '.' || folders.has(path)) return
    if (!(await isThere(path))) {
      await makeFolder(folderOf(path))
      await call((done) => sftp.mkdir(path, { mode: 0o755 }, done)).catch(async (error: unknown) => {
        // Another client may have created it meanwhile.
        if (!(await isThere(path))) throw error
      })
    }
    folders.add(path)
  }

  return {
    look,
    remove,
    makeFolder,
    /** Moves a file over another one with an OpenSSH extension, since the protocol cannot. */
    async replace(from: string, to: string): Promise<void> {
      try {
        await call((done) => sftp.ext_openssh_rename(from, to, done))
      } catch (error) {
        if (error instanceof CausedError) throw error
        // Without the extension, the page is missing for a moment.
        await remove(to)
        await call((done) => sftp.rename(from, to, done))
      }
    },
    async write(path: string, bytes: AsyncIterable<Buffer>, signal: AbortSignal): Promise<void> {
      const stop = AbortSignal.any([signal, lostConnection.signal])
      try {
        await pipeline(bytes, sftp.createWriteStream(path, { mode: 0o644 }), { signal: stop })
        await call((done) => sftp.chmod(path, 0o644, done))
      } catch (error) {
        if (lostConnection.signal.aborted) throw new CausedError(cause('sftp_cut'))
        throw error instanceof Error && !signal.aborted ? faultOf(error) : error
      }
    },
    /** Passes the bytes of a file to `take`; null: the file does not exist. */
    readWith: async <Value>(path: string, take: (bytes: Readable) => Promise<Value>): Promise<Value | null> =>
      (await isThere(path)) ? take(sftp.createReadStream(path)) : null,
    async list(path: string): Promise<readonly string[]> {
      const found = await call<readonly { readonly filename: string }[]>((done) => sftp.readdir(path, done)).catch(
        unlessMissing,
      )
      return (found ?? []).map(({ filename }) => filename)
    },
    /** A folder that is not empty stays. */
    removeFolder: (path: string): Promise<unknown> => call((done) => sftp.rmdir(path, done)).catch(() => undefined),
    close: (): void => void client.end(),
  }
}

/** For a call whose answer may be that nothing is there. */
function unlessMissing(error: unknown): undefined {
  if (error instanceof CausedError && error.reason.code === 'sftp_missing') return undefined
  throw error
}

function faultOf(error: Error): CausedError {
  if (error instanceof CausedError) return error
  const code = 'code' in error ? error.code : undefined
  if (code === missing) return new CausedError(cause('sftp_missing'))
  if (code === denied) return new CausedError(cause('sftp_denied'))
  if (code === failure) return new CausedError(cause('sftp_full'))
  if (lost.has(Number(code)) || isSystemError(error)) return new CausedError(cause('sftp_cut'))
  return new CausedError(cause('sftp_refused', { name: typeof code === 'number' ? code : '' }))
}

async function credentialsOf({ key, agentSocket }: SftpWish): Promise<ConnectConfig> {
  if (key === null) {
    if (!agentSocket) throw new CausedError(cause('no_target_key'))
    return { agent: agentSocket }
  }
  if (!key.startsWith('file:')) return { password: key }
  const [file = '', passphrase] = key.slice('file:'.length).split('\n')
  try {
    return { privateKey: await readFile(file), ...(passphrase !== undefined && { passphrase }) }
  } catch (error) {
    if (isSystemError(error)) throw new CausedError(cause('target_key_file'))
    throw error
  }
}

/** Connects, and checks the host key against the first connection. */
async function connected(wish: SftpWish) {
  const { place, knownHostKey, rememberHostKey } = wish
  const ssh = (await import('ssh2')).default
  const client = new ssh.Client()
  let seen: string | null = null
  const credentials = await credentialsOf(wish)
  try {
    await new Promise<void>((resolve, reject) => {
      client.once('ready', resolve)
      client.once('error', reject)
      client.once('close', () => reject(new CausedError(cause('sftp_unreached'))))
      client.connect({
        ...credentials,
        ...{ host: place.host.replace(/^\[|\]$/g, ''), port: place.port, username: place.user },
        ...{ readyTimeout: connectLimitMs, keepaliveInterval: keepAliveMs, keepaliveCountMax: 3 },
        hostVerifier: (key: Buffer) => {
          seen = `SHA256:${createHash('sha256').update(key).digest('base64').replace(/=+$/, '')}`
          return knownHostKey === null || seen === knownHostKey
        },
      })
    })
  } catch (error) {
    client.end()
    throw new CausedError(connectionCause(error, seen, knownHostKey))
  }
  if (knownHostKey === null && seen !== null) rememberHostKey(seen)
  // Later errors are reported by the calls that fail.
  client.on('error', () => undefined)
  const sftp = await new Promise<SFTPWrapper>((resolve, reject) =>
    client.sftp((error, channel) => (error ? reject(new CausedError(cause('sftp_denied'))) : resolve(channel))),
  )
  return { client, sftp }
}

function connectionCause(error: unknown, seen: string | null, known: string | null) {
  if (known !== null && seen !== null && seen !== known) return cause('sftp_host_key', { name: seen })
  const { level, message = '' } = error as { readonly level?: string; readonly message?: string }
  const codes: Readonly<Record<string, CauseCode>> = { 'client-authentication': 'sftp_login' }
  const isKeyFile = /^Cannot parse privateKey|passphrase/i.test(message)
  return cause(isKeyFile ? 'target_key_file' : (codes[level ?? ''] ?? 'sftp_unreached'))
}
