import { createJoined } from '../joined.ts'

/**
 * Decoded text that knows where in the raw text each of its characters stands, so that what is found in the decoded text
 * can be replaced in the raw one. Views are stacked: entities, then escapes, then percent-encoding.
 */
export interface View {
  readonly text: string
  /** Raw offset at which the character at `index` begins. */
  rawStart(index: number): number
  /** Raw offset at which the character before `index` ends. */
  rawEnd(index: number): number
  /** Whether a reference may take up `[start, end)` here; some readings hold only under a condition. */
  admits(start: number, end: number): boolean
}

/** A way of writing characters as others: how its sequences look and what they mean; null: nothing, it stays. */
export interface Encoding {
  /** The character every sequence begins with. */
  readonly lead: RegExp
  readonly sequence: RegExp
  decode(sequence: string): string | null
  /** Whether an encoded character can end a reference, as a quote written `&quot;` does. */
  readonly delimits: boolean
}

/** The characters of `raw` as they stand, from `start` to `end`. */
export const plainView = (raw: string, start = 0, end = raw.length): View => ({
  text: raw.slice(start, end),
  rawStart: (index) => start + index,
  rawEnd: (index) => start + index,
  admits: () => true,
})

export const sliceView = (view: View, start: number, end: number): View => ({
  text: view.text.slice(start, end),
  rawStart: (index) => view.rawStart(start + index),
  rawEnd: (index) => view.rawEnd(start + index),
  admits: (from, to) => view.admits(start + from, start + to),
})

/** Offsets into a text, four bytes each: a hostile page has millions. One that is absent is 0. */
function createOffsets() {
  let room = new Uint32Array(16)
  let count = 0
  return {
    push(offset: number): void {
      if (count === room.length) {
        const larger = new Uint32Array(2 * count)
        larger.set(room)
        room = larger
      }
      room[count++] = offset
    },
    at: (number: number): number => room[number] ?? 0,
    count: (): number => count,
  }
}

/** The view with this encoding undone, or the very same view when it has no such sequence. */
export function decodedView(view: View, { lead, sequence, decode, delimits }: Encoding): View {
  if (!lead.test(view.text)) return view
  // Sequence number n is [from[n], to[n]) of the outer text and [start[n], end[n]) of the decoded one.
  const from = createOffsets()
  const to = createOffsets()
  const start = createOffsets()
  const end = createOffsets()
  const decoded = createJoined()
  let done = 0
  // `replace` would keep every match until the last one is found.
  for (const { 0: match, index } of view.text.matchAll(sequence)) {
    const meaning = decode(match)
    if (meaning === null) continue
    decoded.add(view.text.slice(done, index))
    from.push(index)
    start.push(decoded.length())
    decoded.add(meaning)
    done = index + match.length
    to.push(done)
    end.push(decoded.length())
  }
  if (from.count() === 0) return view
  decoded.add(view.text.slice(done))
  const text = decoded.text()

  /** The number of the last sequence that begins at or before `index`; -1 when there is none. */
  const sequenceAt = (index: number): number => {
    let low = 0
    let high = start.count()
    while (low < high) {
      const middle = (low + high) >>> 1
      if (start.at(middle) <= index) low = middle + 1
      else high = middle
    }
    return low - 1
  }
  /** The range of the outer text that the decoded character at `index` comes from. */
  const outer = (index: number): { readonly from: number; readonly to: number; readonly encoded: boolean } => {
    const number = sequenceAt(index)
    const endsAt = end.at(number)
    if (index < endsAt) return { from: from.at(number), to: to.at(number), encoded: true }
    const at = index - endsAt + to.at(number)
    return { from: at, to: at + 1, encoded: false }
  }
  const isEncoded = (index: number): boolean => index >= 0 && index < text.length && outer(index).encoded
  return {
    text,
    rawStart: (index) => view.rawStart(outer(index).from),
    rawEnd: (index) => (index === 0 ? view.rawEnd(0) : view.rawEnd(outer(index - 1).to)),
    admits: (first, last) =>
      (delimits || !(isEncoded(first - 1) || isEncoded(last))) &&
      view.admits(outer(first).from, last === 0 ? 0 : outer(last - 1).to),
  }
}
