/** A piece of a JSON text as it is written; `blank` and `sign` (brackets, commas, colons) mean nothing by themselves. */
export interface JsonTextPiece {
  readonly kind: 'key' | 'string' | 'number' | 'word' | 'sign' | 'blank'
  readonly text: string
}

const piece = /(\s+)|([{}[\],:])|("[^"\\]*(?:\\.[^"\\]*)*"?)(?=(\s*:)?)|(-?\d[^\s,\]}]*)|[^\s{}[\],:"]+/g

/** The pieces of a text, which together are the text; made for checked JSON, and harmless with any other. */
export const jsonPieces = (text: string): readonly JsonTextPiece[] =>
  [...text.matchAll(piece)].map(([whole, blank, sign, string, colon, number]) => {
    if (blank !== undefined) return { kind: 'blank', text: whole }
    if (sign !== undefined) return { kind: 'sign', text: whole }
    if (string !== undefined) return { kind: colon === undefined ? 'string' : 'key', text: whole }
    return { kind: number === undefined ? 'word' : 'number', text: whole }
  })
