import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import logging from 'electron-log/node'

import { redactLine } from './redact.ts'

/** A file of this size is renamed to `NAME.old.log`, replacing the previous one. */
const fileBytesAtMost = 2 * 1024 ** 2
const recentLines = 200
/** Longer lines are cut after they are redacted, because a line may contain text from requests. */
const lineChars = 4_000

/** The error log of a process. */
export interface LogFile {
  readonly file: string
  /** Appends a line with a timestamp, and returns it as it is shown. Never throws: a failing log must not stop the app. */
  write(line: string): string
  /**
   * The place to show to a person who wants to read the log: the file, or the folder where it will be; null if the
   * library is missing.
   */
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
  function shown(line: string): string {
    for (const values of sources) {
      try {
        for (const value of values()) if (value.length >= 4) hidden.add(value)
      } catch {
        // This library is closed or damaged: its values known so far stay hidden.
      }
    }
    return redactLine(line, hidden)
  }
  return {
    file,
    write(line) {
      const written = shown(translate(line)).slice(0, lineChars)
      if (hasFolder(library, dirname(file))) info(written)
      return written
    },
    place() {
      if (existsSync(file)) return file
      if (hasFolder(library, dirname(file))) return dirname(file)
      return existsSync(library) ? library : null
    },
    hide: (values) => void sources.push(values),
    recent() {
      try {
        // Older lines were redacted by the rules of their time.
        return readFileSync(file, 'utf8').trimEnd().split('\n').slice(-recentLines).map(shown)
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
