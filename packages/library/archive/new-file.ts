import { createHash } from 'node:crypto'
import { closeSync, constants, openSync, unlinkSync, writeSync } from 'node:fs'
import { digestOf } from '@galley/platform'
import type { Sha256 } from '@galley/wire'

import type { Syncs } from './syncs.ts'

/** A written file, named by its hash. */
export interface Written {
  readonly sha256: Sha256
  readonly sizeBytes: number
}

/** An open file of a job. */
export interface NewFile {
  readonly path: string
  take(chunk: Buffer): void
  /** Closes the complete file and passes it to the syncs. Removes it if `isWanted` returns false. */
  done(isWanted?: (written: Written) => boolean): Written
}

/** Creates files for one job and tracks the open ones. */
export interface NewFiles {
  create(path: string): NewFile
  /** Writes a file whose content is already in memory. */
  write(path: string, content: Buffer): void
  /** Closes the open files of a failed job. */
  close(): void
}

export function createNewFiles(syncs: Syncs): NewFiles {
  const open = new Set<number>()
  /** Readable by the owner only. Fails if the file exists or is a link. */
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
          const written = { sha256: digestOf(hash), sizeBytes }
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

function writeFully(fd: number, bytes: Buffer): void {
  for (let done = 0; done < bytes.length;) done += writeSync(fd, bytes, done, bytes.length - done)
}
