import type { Readable, Writable } from 'node:stream'

/** The parts of its process that a command uses. */
export interface Host {
  readonly stdin: Readable
  readonly stdout: Writable
  readonly stderr: Writable
  /** Calls `stop` at each SIGINT and SIGTERM, until the returned function is called. */
  readonly onSignal: (stop: () => void) => () => void
  /** Reports uncaught errors, also those after the end of the command. */
  readonly onFault: (report: (fault: unknown) => void) => void
  /** Makes the process fail, because output was lost, perhaps after the end of the command. */
  readonly onOutputLost: () => void
  /** Ends the process of an interrupted command even if its output is not read. */
  readonly exitSoon: () => void
}

/** How long an interrupted command waits for its output to be read. */
const unreadGraceMs = 2_000

/** The process itself. */
export const ownProcess: Host = {
  // Opened only by commands that read it.
  get stdin() {
    return process.stdin
  },
  stdout: process.stdout,
  stderr: process.stderr,
  onSignal(stop) {
    // Kept until the end: npm and terminals send a second signal, which must not interrupt the orderly stop.
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, stop)
    return () => {
      for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, stop)
    }
  },
  onFault(report) {
    for (const event of ['uncaughtException', 'unhandledRejection'] as const) process.on(event, report)
  },
  onOutputLost() {
    process.exitCode = 1
  },
  exitSoon: () => void setTimeout(() => process.exit(), unreadGraceMs).unref(),
}
