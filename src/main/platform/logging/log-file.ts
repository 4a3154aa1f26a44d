import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import logging from 'electron-log/node'

import { hideCredentials, redactedMark } from '../../../contract/protocol/secret-values.ts'

/** A file of this size is renamed to `NAME.old.log`, replacing the previous one. */
const fileBytesAtMost = 2 * 1024 ** 2
const recentLines = 200
/** Longer lines are truncated, because a line may contain text from requests. */
const lineChars = 4_000

/** The error log of a process. */
export interface LogFile {
  readonly file: string
  /** Appends a line with a timestamp. Never throws: a failing log must not stop the app. */
  write(line: string): void
  /** What to show a person who wants to read it: the file, or the folder where it will be. null: the library is gone. */
  place(): string | null
  /** Values of `values` are never written, now or later. Called for each line. */
  hide(values: () => Iterable<string>): void
  /** The latest lines of the file. */
  recent(): readonly string[]
}

/**
 * Opens `logs/NAME.log` in a library folder; the first line creates it. Lines are written synchronously, so that the last
 * one before a crash is not lost; they are few. Lines are lost if the library folder does not exist yet or the disk is full.
 * `translate` rewrites each line, for example for source maps.
 */
export function openLogFile(library: string, name: string, translate: (line: string) => string): LogFile {
  const file = join(library, 'logs', `${name}.log`)
  const { info, transports } = logging.create({ logId: file })
  // Messages of the log library itself go to the console of its default instance.
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
        // The library is closed or damaged: use the values known so far.
      }
      info(withoutSecrets(translate(line.slice(0, lineChars)), hidden))
    },
    place() {
      if (existsSync(file)) return file
      if (hasFolder(library, dirname(file))) return dirname(file)
      return existsSync(library) ? library : null
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

/** The process that opens a library creates its folder, with its own permissions. */
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

/** Matches only at the start of a word, so that the run time is linear. */
const address = /(?<![^\s"'<>()@,;:=])[^\s"'<>()@,;:=]+@[^\s"'<>()@,;:]+/g
const signature = /(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])/gi

/** A line without known secrets, credentials in known formats, signatures and e-mail addresses. */
export function withoutSecrets(line: string, known: Iterable<string>): string {
  let shown = line
  for (const value of [...known].toSorted((a, b) => b.length - a.length)) shown = shown.replaceAll(value, redactedMark)
  return hideCredentials(shown)
    .replaceAll(signature, redactedMark)
    .replaceAll(address, redactedMark)
    .replaceAll('\n', ' ↵ ')
}
