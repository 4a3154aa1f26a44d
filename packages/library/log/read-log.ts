import type { Entry } from '../records/changes.ts'
import type { LineFault } from './line.ts'
import { checkedLine, headBytes, isLineOf, readHead, readLine } from './line.ts'
import type { LogMark } from './mark.ts'
import { logStart } from './mark.ts'
import type { LogSegments } from './segments.ts'

/**
 * A fault in a range of the log. `damaged`: a line differs from what was written; `missing`: positions that no segment
 * has; `unlinked`: an entry that does not name the one before it; `newer`: written by a later version of Galley.
 */
export interface LogFault {
  readonly kind: LineFault | 'missing' | 'unlinked'
  /** The first affected position, as far as it is known, and the number of affected entries. */
  readonly position: number
  readonly count: number
  /** The damaged bytes, with their segment and offset. */
  readonly bytes?: Buffer
  readonly segment: number
  readonly offset: number
}

/** The items of a log, in order: entries, and faults between them. */
export type LogItem =
  | { readonly kind: 'entry'; readonly entry: Entry; readonly mark: LogMark }
  | { readonly kind: 'fault'; readonly fault: LogFault }

/** Whether the log has the entry of a mark. `ahead`: the log ends before it. `behind`: the log begins after it, with a gap. */
export type MarkState = 'holds' | 'differs' | 'ahead' | 'behind'

export function holdsMark(segments: LogSegments, mark: LogMark): MarkState {
  if (mark.position === 0) return 'holds'
  const line = segments.bytesOf(mark.segment, mark.start, mark.end)
  if (line === null) {
    // Earlier segments may have been deleted; the next entry names this one.
    const next = segments.bytesOf(mark.position + 1, 0)
    if (next === null) return (segments.list()[0] ?? 0) > mark.position ? 'behind' : 'ahead'
    const previous = previousOf(next)
    return previous === null || previous === mark.hash ? 'holds' : 'differs'
  }
  if (line.length < mark.end - mark.start) return 'ahead'
  if (isLineOf(line, mark)) return 'holds'
  if (checkedLine(line) !== null) return 'differs'
  // The line is damaged, so the next entry shows whether the line was that of the mark.
  const here = segments.bytesOf(mark.segment, mark.end)
  const next = here === null || here.length === 0 ? segments.bytesOf(mark.position + 1, 0) : here
  return next !== null && previousOf(next) === mark.hash ? 'holds' : 'differs'
}

/** The first line of these bytes. */
const firstLine = (bytes: Buffer): Buffer => bytes.subarray(0, readHead(bytes)?.length ?? 0)

/** The hash that the first entry of these bytes names as the one before it; null if it cannot be read. */
function previousOf(bytes: Buffer): string | null {
  const read = readLine(firstLine(bytes))
  return read.ok ? read.entry.previous : null
}

/** Everything after `after`. Skips an incomplete line that a crash left at the very end. */
export function* readLog(segments: LogSegments, after: LogMark): Generator<LogItem, void, void> {
  const all = segments.list()
  let last = after
  let isLinked = true
  const missing = (upTo: number, segment: number): LogItem => ({
    kind: 'fault',
    fault: { kind: 'missing', position: last.position + 1, count: upTo - last.position, segment, offset: 0 },
  })
  for (const segment of all.filter((first) => first >= after.segment)) {
    if (segment > last.position + 1 && segment !== after.segment && isLinked) {
      yield missing(segment - 1, segment)
      last = atPosition(last, segment - 1)
      isLinked = false
    }
    const from = segment === after.segment ? after.end : 0
    const bytes = segments.bytesOf(segment, from) ?? Buffer.alloc(0)
    for (const { offset, line } of linesOf(bytes, segment === all.at(-1))) {
      const found = readLine(line)
      if (!found.ok) {
        const place = { segment, offset: from + offset }
        yield {
          kind: 'fault',
          fault: { kind: found.fault, position: last.position + 1, count: 1, bytes: line, ...place },
        }
        isLinked = false
        continue
      }
      const { entry, hash } = found
      // A second copy of an entry that has been read.
      if (entry.position <= last.position) continue
      if (entry.position > last.position + 1 && isLinked) yield missing(entry.position - 1, segment)
      else if (isLinked && entry.previous !== last.hash)
        yield {
          kind: 'fault',
          fault: { kind: 'unlinked', position: entry.position, count: 1, segment, offset: from + offset },
        }
      last = { position: entry.position, hash, segment, start: from + offset, end: from + offset + line.length }
      isLinked = true
      yield { kind: 'entry', entry, mark: last }
    }
  }
}

/** The entries after a position without a mark. Skips faults. */
export function* entriesAfter(segments: LogSegments, position: number): Generator<Entry, void, void> {
  const segment = segments.list().findLast((first) => first <= position + 1) ?? logStart.segment
  for (const item of readLog(segments, { ...logStart, position: segment - 1, segment }))
    if (item.kind === 'entry' && item.entry.position > position) yield item.entry
}

const atPosition = (mark: LogMark, position: number): LogMark => ({ ...mark, position })

/** Splits bytes into lines. Leaves out a torn end of the last segment. */
function* linesOf(
  bytes: Buffer,
  isLastSegment: boolean,
): Generator<{ readonly offset: number; readonly line: Buffer }> {
  for (let at = 0; at < bytes.length;) {
    const head = readHead(bytes.subarray(at, at + headBytes))
    const byLength = head === null ? null : at + head.length
    const next = byLength !== null && endsALine(bytes, byLength) ? byLength : bytes.indexOf(0x0a, at) + 1 || null
    if (next === null && isLastSegment) return
    const end = next ?? bytes.length
    yield { offset: at, line: bytes.subarray(at, end) }
    at = end
  }
}

/** Whether a line may end here: after a line feed or, if that byte is damaged, at the end or before a line. */
const endsALine = (bytes: Buffer, at: number): boolean =>
  at <= bytes.length &&
  (bytes[at - 1] === 0x0a || at === bytes.length || readHead(bytes.subarray(at, at + headBytes)) !== null)
