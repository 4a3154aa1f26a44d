import { generateKeyPairSync } from 'node:crypto'
import fs from 'node:fs'
import { createServer } from 'node:net'
import { join, posix } from 'node:path'
import type { Attributes, AuthContext, SFTPWrapper } from 'ssh2'
import ssh from 'ssh2'

/** What the protocol's statuses are named in `ssh2`. */
export const { STATUS_CODE: status } = ssh.utils.sftp

/** How a server differs from OpenSSH's. */
export interface Oddity {
  /** Accepts or rejects a login; by default, the password `pw`. */
  readonly login?: (attempt: AuthContext) => void
  /** The status with which each call of these kinds is answered. */
  readonly answers?: Partial<Record<'SETSTAT' | 'FSETSTAT' | 'RENAME' | 'WRITE' | 'MKDIR', number>>
  /** Refuses a folder that is created with a mode. */
  readonly refusesModes?: boolean
  /** Renames to free names only, as the protocol says. Otherwise a rename replaces. */
  readonly keepsFiles?: boolean
  readonly hasNoSftp?: boolean
}

const passwordOnly = (attempt: AuthContext): void =>
  attempt.method === 'password' && attempt.password === 'pw' ? attempt.accept() : attempt.reject(['password'])

/** An SFTP server over the files below a folder, on loopback, without extensions. `attempts`: the methods of login it saw. */
export async function startOddSftp(root: string, oddity: Oddity = {}) {
  const attempts: string[] = []
  const { privateKey: hostKey } = generateKeyPairSync('ec', {
    namedCurve: 'P-256',
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'sec1', format: 'pem' },
  })
  const sshServer = new ssh.Server({ hostKeys: [hostKey] }, (client) => {
    client.on('error', () => undefined)
    client.on('authentication', (attempt) => {
      attempts.push(attempt.method)
      ;(oddity.login ?? passwordOnly)(attempt)
    })
    client.on('session', (accept) => {
      const session = accept()
      if (!oddity.hasNoSftp) session.on('sftp', (open) => serve(open(), root, oddity))
    })
  })
  // As OpenSSH's: otherwise each small answer waits 40 ms for the acknowledgement of the one before.
  const server = createServer({ noDelay: true }, (socket) => sshServer.injectSocket(socket))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  return {
    attempts,
    place: (path: string) => `sftp:deploy@127.0.0.1:${port}${path}`,
    close: (): void => void server.close(),
  }
}

function serve(sftp: SFTPWrapper, root: string, { answers = {}, refusesModes, keepsFiles }: Oddity): void {
  const handles = new Map<number, { readonly fd?: number; names?: readonly string[] }>()
  const real = (path: string): string => join(root, posix.normalize(`/${path}`))
  const handleOf = (opened: { readonly fd?: number; names?: readonly string[] }): Buffer => {
    const handle = Buffer.alloc(4)
    handle.writeUInt32BE(handles.size)
    handles.set(handles.size, opened)
    return handle
  }
  const at = (handle: Buffer) => handles.get(handle.readUInt32BE(0)) ?? {}
  const attributesOf = ({ mode, size }: fs.Stats): Attributes => ({ mode, size, uid: 0, gid: 0, atime: 0, mtime: 0 })
  /** Answers with a status that is given for this kind, with that of an error, or as `work` does. */
  function answer(id: number, kind: string, work: () => void | number): void {
    const given = Object.entries(answers).find(([name]) => name === kind)?.[1]
    if (given !== undefined) return sftp.status(id, given)
    try {
      const done = work()
      if (done !== undefined) sftp.status(id, done)
    } catch (error) {
      const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT'
      sftp.status(id, isMissing ? status.NO_SUCH_FILE : status.FAILURE)
    }
  }
  const look = (id: number, path: string): void =>
    answer(id, 'STAT', () => sftp.attrs(id, attributesOf(fs.lstatSync(real(path)))))
  const done = (work: () => void): number => (work(), status.OK)

  sftp.on('OPEN', (id, path, flags) =>
    answer(id, 'OPEN', () => {
      const fd = fs.openSync(real(path), ssh.utils.sftp.flagsToString(flags) ?? 'r')
      sftp.handle(id, handleOf({ fd }))
    }),
  )
  sftp.on('READ', (id, handle, offset, length) =>
    answer(id, 'READ', () => {
      const bytes = Buffer.alloc(length)
      const read = fs.readSync(at(handle).fd ?? -1, bytes, 0, length, offset)
      if (read === 0) return status.EOF
      sftp.data(id, bytes.subarray(0, read))
    }),
  )
  sftp.on('WRITE', (id, handle, offset, bytes) =>
    answer(id, 'WRITE', () => done(() => fs.writeSync(at(handle).fd ?? -1, bytes, 0, bytes.length, offset))),
  )
  sftp.on('CLOSE', (id, handle) =>
    answer(id, 'CLOSE', () => {
      const { fd } = at(handle)
      return done(() => fd !== undefined && fs.closeSync(fd))
    }),
  )
  sftp.on('STAT', look)
  sftp.on('LSTAT', look)
  sftp.on('SETSTAT', (id) => answer(id, 'SETSTAT', () => status.OK))
  sftp.on('FSETSTAT', (id) => answer(id, 'FSETSTAT', () => status.OK))
  sftp.on('OPENDIR', (id, path) =>
    answer(id, 'OPENDIR', () => sftp.handle(id, handleOf({ names: fs.readdirSync(real(path)) }))),
  )
  sftp.on('READDIR', (id, handle) =>
    answer(id, 'READDIR', () => {
      const opened = at(handle)
      const names = opened.names ?? []
      opened.names = []
      if (names.length === 0) return status.EOF
      const attrs = { mode: 0o644, size: 0, uid: 0, gid: 0, atime: 0, mtime: 0 }
      sftp.name(
        id,
        names.map((filename) => ({ filename, longname: filename, attrs })),
      )
    }),
  )
  sftp.on('REMOVE', (id, path) => answer(id, 'REMOVE', () => done(() => fs.unlinkSync(real(path)))))
  sftp.on('RMDIR', (id, path) => answer(id, 'RMDIR', () => done(() => fs.rmdirSync(real(path)))))
  sftp.on('MKDIR', (id, path, attributes) =>
    answer(id, 'MKDIR', () => {
      if (refusesModes === true && (attributes as Partial<Attributes>).mode !== undefined) return status.OP_UNSUPPORTED
      return done(() => fs.mkdirSync(real(path)))
    }),
  )
  sftp.on('RENAME', (id, from, to) =>
    answer(id, 'RENAME', () => {
      if (keepsFiles === true && fs.existsSync(real(to))) return status.FAILURE
      return done(() => fs.renameSync(real(from), real(to)))
    }),
  )
}
