import { createJoined } from '../joined.ts'

/** The kind of a text: one address, image candidates as in `srcset`, or any other text with references. */
export type TextKind = 'address' | 'candidates' | 'text'

/**
 * Decoded text that maps each character to its position in the raw text, so that matches can be replaced there. Views are
 * stacked: entities, then escapes, then percent-encoding.
 */
export interface View {
  readonly text: string
  readonly kind: TextKind
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
export const plainView = (raw: string, start = 0, end = raw.length, kind: TextKind = 'text'): View => ({
  text: raw.slice(start, end),
  kind,
  rawStart: (index) => start + index,
  rawEnd: (index) => start + index,
  admits: () => true,
})

export const sliceView = (view: View, start: number, end: number, kind = view.kind): View => ({
  text: view.text.slice(start, end),
  kind,
  rawStart: (index) => view.rawStart(start + index),
  rawEnd: (index) => view.rawEnd(start + index),
  admits: (from, to) => view.admits(start + from, start + to),
})

/**
 * The decoded sequences: sequence n is [from, to) of the outer text and [start, end) of the decoded one. Four bytes for each
 * offset, because a hostile page has millions. Offsets of absent sequences are 0. A class, because a page needs hundreds of
 * thousands of these, each with a few sequences.
 */
class Sequences {
  #room = new Uint32Array(16)
  #length = 0

  push(from: number, to: number, start: number, end: number): void {
    if (this.#length === this.#room.length) {
      const larger = new Uint32Array(2 * this.#length)
      larger.set(this.#room)
      this.#room = larger
    }
    const at = this.#length
    this.#room[at] = from
    this.#room[at + 1] = to
    this.#room[at + 2] = start
    this.#room[at + 3] = end
    this.#length = at + 4
  }
  count(): number {
    return this.#length / 4
  }
  from(number: number): number {
    return this.#room[4 * number] ?? 0
  }
  to(number: number): number {
    return this.#room[4 * number + 1] ?? 0
  }
  start(number: number): number {
    return this.#room[4 * number + 2] ?? 0
  }
  end(number: number): number {
    return this.#room[4 * number + 3] ?? 0
  }
}

/** The view with this encoding decoded, or the same view if it has no such sequence. */
export function decodedView(view: View, { lead, sequence, decode, delimits }: Encoding): View {
  if (!lead.test(view.text)) return view
  const sequences = new Sequences()
  const decoded = createJoined()
  let done = 0
  // `replace` would keep all matches in memory, and `matchAll` compiles the pattern for each of many short texts.
  sequence.lastIndex = 0
  for (let match = sequence.exec(view.text); match !== null; match = sequence.exec(view.text)) {
    const meaning = decode(match[0])
    if (meaning === null) continue
    decoded.add(view.text.slice(done, match.index))
    const start = decoded.length()
    decoded.add(meaning)
    done = match.index + match[0].length
    sequences.push(match.index, done, start, decoded.length())
  }
  if (sequences.count() === 0) return view
  decoded.add(view.text.slice(done))
  const text = decoded.text()

  /** The index of the last sequence that begins at or before `index`; -1 if there is none. */
  const sequenceAt = (index: number): number => {
    let low = 0
    let high = sequences.count()
    while (low < high) {
      const middle = (low + high) >>> 1
      if (sequences.start(middle) <= index) low = middle + 1
      else high = middle
    }
    return low - 1
  }
  /** The range of the outer text that encodes the character at `index`. */
  const outer = (index: number): { readonly from: number; readonly to: number; readonly encoded: boolean } => {
    const number = sequenceAt(index)
    const endsAt = sequences.end(number)
    if (index < endsAt) return { from: sequences.from(number), to: sequences.to(number), encoded: true }
    const at = index - endsAt + sequences.to(number)
    return { from: at, to: at + 1, encoded: false }
  }
  const isEncoded = (index: number): boolean => index >= 0 && index < text.length && outer(index).encoded
  return {
    text,
    kind: view.kind,
    rawStart: (index) => view.rawStart(outer(index).from),
    rawEnd: (index) => (index === 0 ? view.rawEnd(0) : view.rawEnd(outer(index - 1).to)),
    admits: (first, last) =>
      (delimits || !(isEncoded(first - 1) || isEncoded(last))) &&
      view.admits(outer(first).from, last === 0 ? 0 : outer(last - 1).to),
  }
}
