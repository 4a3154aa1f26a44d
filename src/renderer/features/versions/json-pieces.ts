/** A JSON token; `blank` and `sign` (brackets, commas, colons) have no meaning. */
export interface JsonTextPiece {
  readonly kind: 'key' | 'string' | 'number' | 'word' | 'sign' | 'blank'
  readonly text: string
}

const piece = /(\s+)|([{}[\],:])|("[^"\\]*(?:\\.[^"\\]*)*"?)(?=(\s*:)?)|(-?\d[^\s,\]}]*)|[^\s{}[\],:"]+/g

/** Splits JSON into tokens that together are the original text; expects valid JSON but is lossless for any text. */
export const jsonPieces = (text: string): readonly JsonTextPiece[] =>
  [...text.matchAll(piece)].map(([whole, blank, sign, string, colon, number]) => {
    if (blank !== undefined) return { kind: 'blank', text: whole }
    if (sign !== undefined) return { kind: 'sign', text: whole }
    if (string !== undefined) return { kind: colon === undefined ? 'string' : 'key', text: whole }
    return { kind: number === undefined ? 'word' : 'number', text: whole }
  })
