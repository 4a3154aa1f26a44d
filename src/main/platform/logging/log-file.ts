import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import logging from 'electron-log/node'

import { hideCredentials, redactedMark } from '../../../contract/protocol/secret-values.ts'

/** A file that has reached this size becomes `NAME.old.log`, in place of the one before. */
const fileBytesAtMost = 2 * 1024 ** 2
const recentLines = 200
/** Longer lines are cut: one holds what somebody sent. */
const lineChars = 4_000

/** The log of one process: what went wrong, for whoever looks for the cause later. */
export interface LogFile {
  readonly file: string
  /** Adds a line with its moment. Never throws: a log that cannot be written stops nothing. */
  write(line: string): void
  /** What `values` gives is never written, now or later. Asked at each line. */
  hide(values: () => Iterable<string>): void
  /** The newest lines of the file. */
  recent(): readonly string[]
}

/**
 * Opens `logs/NAME.log` in a library folder, which is made when the first line comes. Lines are written at once, so that the
 * last one before a crash is there; they are few. Lines from before the library folder was made, or on a disk that takes
 * none, are lost. `translate` words each line for its readers.
 */
export function openLogFile(library: string, name: string, translate: (line: string) => string): LogFile {
  const file = join(library, 'logs', `${name}.log`)
  const { info, transports } = logging.create({ logId: file })
  // What this library itself has to say goes to the console of the one that all are made from.
  for (const { console: shown } of [transports, logging.transports]) shown.writeFn = () => undefined
  Object.assign(transports.file, {
    resolvePathFn: () => file,
    maxSize: fileBytesAtMost,
    format: '{iso} {text}',
    writeOptions: { flag: 'a', mode: 0o600, encoding: 'utf8' },
  })
  const sources: (() => Iterable<string>)[] = []
  const hidden = new Set<string>()
  return {
    file,
    write(line) {
      if (!hasFolder(library, dirname(file))) return
      try {
        for (const values of sources) for (const value of values()) if (value.length >= 4) hidden.add(value)
      } catch {
        // A library that is closed or damaged: what it gave before is known.
      }
      info(withoutSecrets(translate(line.slice(0, lineChars)), hidden))
    },
    hide: (values) => void sources.push(values),
    recent() {
      try {
        return readFileSync(file, 'utf8').trimEnd().split('\n').slice(-recentLines)
      } catch {
        return []
      }
    },
  }
}

/** The folder of a library is made by whoever opens it, with rights of its own. */
function hasFolder(library: string, logs: string): boolean {
  if (existsSync(logs)) return true
  if (!existsSync(library)) return false
  try {
    mkdirSync(logs, { mode: 0o700 })
    return true
  } catch {
    return false
  }
}

/** Begins at the beginning of a word alone, so that the time it takes grows with the text alone. */
const address = /(?<![^\s"'<>()@,;:=])[^\s"'<>()@,;:=]+@[^\s"'<>()@,;:]+/g
const signature = /(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])/gi

/** A line without values that are known to be secret, credentials by their form, signatures and e-mail addresses. */
export function withoutSecrets(line: string, known: Iterable<string>): string {
  let shown = line
  for (const value of [...known].toSorted((a, b) => b.length - a.length)) shown = shown.replaceAll(value, redactedMark)
  return hideCredentials(shown)
    .replaceAll(signature, redactedMark)
    .replaceAll(address, redactedMark)
    .replaceAll('\n', ' ↵ ')
}
