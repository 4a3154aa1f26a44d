import { createJoined } from '../joined.ts'

/** What a text is: one address, image candidates as in `srcset`, or anything else that may hold references. */
export type Place = 'address' | 'candidates' | 'text'

/**
 * Decoded text that maps each character to its position in the raw text, so that matches can be replaced there. Views are
 * stacked: entities, then escapes, then percent-encoding.
 */
export interface View {
  readonly text: string
  readonly place: Place
  /** Raw offset of the start of the character at `index`. */
  rawStart(index: number): number
  /** Raw offset of the end of the character before `index`. */
  rawEnd(index: number): number
  /** Whether a reference may cover `[start, end)`. Some views restrict this. */
  admits(start: number, end: number): boolean
}

/** An encoding of characters: the pattern of its sequences and their decoder. null: the sequence is not decoded. */
export interface Encoding {
  /** The first character of every sequence. */
  readonly lead: RegExp
  readonly sequence: RegExp
  decode(sequence: string): string | null
  /** Whether an encoded character can end a reference, such as a quote written as `&quot;`. */
  readonly delimits: boolean
}

/** The characters of `raw` from `start` to `end`, undecoded. */
export const plainView = (raw: string, start = 0, end = raw.length, place: Place = 'text'): View => ({
  text: raw.slice(start, end),
  place,
  rawStart: (index) => start + index,
  rawEnd: (index) => start + index,
  admits: () => true,
})

export const sliceView = (view: View, start: number, end: number, place = view.place): View => ({
  text: view.text.slice(start, end),
  place,
  rawStart: (index) => view.rawStart(start + index),
  rawEnd: (index) => view.rawEnd(start + index),
  admits: (from, to) => view.admits(start + from, start + to),
})

/** A list of offsets with four bytes each: a hostile page has millions. Absent ones are 0. */
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

/** The view with this encoding decoded, or the same view if it has no such sequence. */
export function decodedView(view: View, { lead, sequence, decode, delimits }: Encoding): View {
  if (!lead.test(view.text)) return view
  // Sequence n is [from[n], to[n]) of the outer text and [start[n], end[n]) of the decoded one.
  const from = createOffsets()
  const to = createOffsets()
  const start = createOffsets()
  const end = createOffsets()
  const decoded = createJoined()
  let done = 0
  // `replace` would keep all matches in memory.
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

  /** The index of the last sequence that begins at or before `index`; -1 if there is none. */
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
  /** The range of the outer text that encodes the character at `index`. */
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
    place: view.place,
    rawStart: (index) => view.rawStart(outer(index).from),
    rawEnd: (index) => (index === 0 ? view.rawEnd(0) : view.rawEnd(outer(index - 1).to)),
    admits: (first, last) =>
      (delimits || !(isEncoded(first - 1) || isEncoded(last))) &&
      view.admits(outer(first).from, last === 0 ? 0 : outer(last - 1).to),
  }
}
