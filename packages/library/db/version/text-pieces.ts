import type { Term, TextRange } from '@galley/wire'
import { hitsIn } from '@galley/wire'

import type { TextPiece } from '../../views/materials.ts'

/** A text in pieces, with the words that were found. */
export function hitPieces(text: string, terms: readonly Term[]): readonly TextPiece[] {
  const shown = text.normalize('NFC')
  return pieces(shown, 0, shown.length, hitsIn(shown, terms))
}

/** Characters before the first word that was found: few, because lists truncate the end of a line. */
const leadChars = 24
const excerptMaxChars = 200

/** The part of a text around the first word that was found; nothing if none was. */
export function excerptOf(text: string, terms: readonly Term[]): readonly TextPiece[] {
  const whole = text.normalize('NFC')
  const hits = hitsIn(whole, terms)
  const { value: first } = hits.next()
  if (first === undefined) return []
  // Starts at the beginning of a word; a longer word is cut.
  const lead = whole.slice(Math.max(0, first.from - leadChars), first.from)
  const kept = first.from <= leadChars ? lead : `…${lead.replace(/^\S*\s+(?=\S)/, '').toWellFormed()}`
  const to = Math.max(first.to, first.from + excerptMaxChars)
  const shown = [...pieces(whole, first.from, to, withFirst(first, hits))]
  if (to < whole.length) shown.push({ text: '…', isHit: false })
  return kept === '' ? shown : [{ text: kept, isHit: false }, ...shown]
}

function* withFirst(first: TextRange, others: Iterable<TextRange>): Generator<TextRange> {
  yield first
  yield* others
}

function pieces(text: string, from: number, to: number, hits: Iterable<TextRange>): readonly TextPiece[] {
  const found: TextPiece[] = []
  const add = (start: number, end: number, isHit: boolean): void => {
    const part = text.slice(start, Math.min(end, to)).toWellFormed()
    if (part !== '') found.push({ text: part, isHit })
  }
  let at = from
  for (const hit of hits) {
    if (hit.from >= to) break
    add(at, hit.from, false)
    add(hit.from, hit.to, true)
    at = hit.to
  }
  add(at, to, false)
  return found
}
