import type { TextPiece } from '../../../contract/ipc/materials.ts'

/** The marks that FTS5 puts around a hit. Page texts never contain control characters. */
export const marks = { open: '\u0002', close: '\u0003' } as const

/** Splits a marked text into pieces. */
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

/** Characters to keep before the first hit, because lists truncate the end of a line. */
const leadChars = 24

/** The same pieces with at most a few words before the first hit. */
export function fromFirstHit(pieces: readonly TextPiece[]): readonly TextPiece[] {
  const [first, ...rest] = pieces
  if (first === undefined || first.isHit || rest.length === 0 || first.text.length <= leadChars) return pieces
  // Starts at a word boundary; a longer word is cut.
  const lead = first.text.slice(-leadChars).replace(/^\S*\s+(?=\S)/, '')
  return [{ text: `…${lead.toWellFormed()}`, isHit: false }, ...rest]
}
