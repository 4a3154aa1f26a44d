import type { TextPiece } from '../../../contract/ipc/materials.ts'

/** What FTS5 puts around a hit: signs that no page has, since control characters are no text. */
export const marks = { open: '\u0002', close: '\u0003' } as const

/** A text with marks as pieces. */
export function hitPieces(marked: string): readonly TextPiece[] {
  const pieces: TextPiece[] = []
  for (const [at, part] of marked.split(marks.open).entries()) {
    const [hit, ...rest] = at === 0 ? ['', part] : part.split(marks.close)
    if (hit) pieces.push({ text: hit, isHit: true })
    const text = rest.join('')
    if (text !== '') pieces.push({ text, isHit: false })
  }
  return pieces
}

/** Characters that stay before the first hit: a line of a list is cut at its end. */
const leadChars = 24

/** The same pieces with at most a few words before the first hit. */
export function fromFirstHit(pieces: readonly TextPiece[]): readonly TextPiece[] {
  const [first, ...rest] = pieces
  if (first === undefined || first.isHit || rest.length === 0 || first.text.length <= leadChars) return pieces
  // From the beginning of a word; one that is longer than the lead is cut.
  const lead = first.text.slice(-leadChars).replace(/^\S*\s+(?=\S)/, '')
  return [{ text: `…${lead.toWellFormed()}`, isHit: false }, ...rest]
}
