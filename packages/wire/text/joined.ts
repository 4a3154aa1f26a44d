/** Up to this many pieces are appended one by one, which is faster than joining them. */
const appendedMax = 32

/** More pieces are joined at once. */
const piecesMax = 4096

/** Builds a text from many short pieces and joins them regularly, to save the memory of the pieces. */
export function createJoined() {
  let start = ''
  let appended = 0
  const texts: string[] = []
  let pieces: string[] = []
  let length = 0
  const join = (): void => {
    texts.push(pieces.join(''))
    pieces = []
  }
  return {
    add(piece: string): void {
      length += piece.length
      if (appended < appendedMax) {
        start += piece
        appended++
      } else if (pieces.push(piece) === piecesMax) join()
    },
    length: (): number => length,
    text(): string {
      if (texts.length === 0 && pieces.length === 0) return start
      join()
      // Not appended: that would copy the whole text once more.
      return [start, ...texts].join('')
    },
  }
}
