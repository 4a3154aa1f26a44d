import type { Hash } from 'node:crypto'
import { createHash } from 'node:crypto'
import { closeSync, constants, openSync, unlinkSync, writeSync } from 'node:fs'

import type { Sha256 } from '../../../contract/ids.ts'
import type { Syncs } from './syncs.ts'

/** What was written, named by its hash. */
export interface Written {
  readonly sha256: Sha256
  readonly sizeBytes: number
}

/** A file of a job that is being written. */
export interface NewFile {
  readonly path: string
  take(chunk: Buffer): void
  /** Closes the file as written: it is on its way to the disk. `isWanted` false removes it instead. */
  done(isWanted?: (written: Written) => boolean): Written
}

/** Creates files for one job, and knows which ones it has not closed. */
export interface NewFiles {
  create(path: string): NewFile
  /** A file whose content, and so its hash, is already known. */
  write(path: string, content: Buffer): void
  /** Closes what a failed job has left open. */
  close(): void
}

export function createNewFiles(syncs: Syncs): NewFiles {
  const open = new Set<number>()
  /** For us alone; that the file exists already, or is a link, is an error. */
  const openNew = (path: string): number => {
    const fd = openSync(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600)
    open.add(fd)
    return fd
  }
  const sync = (fd: number): void => {
    open.delete(fd)
    syncs.add(fd)
  }
  return {
    create: (path) => {
      const fd = openNew(path)
      const hash = createHash('sha256')
      let sizeBytes = 0
      return {
        path,
        take: (chunk) => {
          writeFully(fd, chunk)
          hash.update(chunk)
          sizeBytes += chunk.length
        },
        done: (isWanted = () => true) => {
          const written = { sha256: digest(hash), sizeBytes }
          if (isWanted(written)) sync(fd)
          else {
            open.delete(fd)
            closeSync(fd)
            unlinkSync(path)
          }
          return written
        },
      }
    },
    write: (path, content) => {
      const fd = openNew(path)
      writeFully(fd, content)
      sync(fd)
    },
    close: () => {
      for (const fd of open) closeSync(fd)
      open.clear()
    },
  }
}

/** The name of a blob. */
export const sha256Of = (content: Buffer): Sha256 => digest(createHash('sha256').update(content))

// The one place where a digest becomes a name.
const digest = (hash: Hash): Sha256 => hash.digest('hex') as Sha256

function writeFully(fd: number, bytes: Buffer): void {
  for (let done = 0; done < bytes.length;) done += writeSync(fd, bytes, done, bytes.length - done)
}
